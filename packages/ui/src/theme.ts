import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent, mill-water teal; the sixth shade keeps 4.5:1 beside white. */
const water: MantineColorsTuple = [
  '#e6fafd',
  '#d3f0f5',
  '#a8dfe9',
  '#79cedd',
  '#53bfd2',
  '#3bb6cc',
  '#0b7285',
  '#0a6475',
  '#075a69',
  '#00424e',
];

/** Neutral greys: surfaces and lines stay out of the accent's way. */
const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#ececee',
  '#e4e4e7',
  '#dcdce0',
  '#b4b4bb',
  '#80808a',
  '#5b5b64',
  '#3f3f46',
  '#18181b',
];

const dark: MantineColorsTuple = [
  '#e4e4e7',
  '#b4b4bd',
  '#8f8f99',
  '#6b6b75',
  '#36363c',
  '#2a2a2f',
  '#212125',
  '#18181b',
  '#131316',
  '#0e0e10',
];

export const theme = createTheme({
  colors: { water, gray, dark },
  black: '#18181b',
  primaryColor: 'water',
  primaryShade: { light: 6, dark: 7 },
  respectReducedMotion: true,
  autoContrast: true,
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.4' },
      h2: { fontSize: '20px', lineHeight: '1.4' },
      h3: { fontSize: '16px', lineHeight: '1.4' },
      h4: { fontSize: '14px', lineHeight: '1.45' },
      h5: { fontSize: '13px', lineHeight: '1.45' },
      h6: { fontSize: '13px', lineHeight: '1.45' },
    },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    // A closed list has no options in the page: a form would otherwise draw those of all its fields at each key.
    Combobox: { defaultProps: { keepMounted: false } },
    // A dialog's header belongs to the dialog, not to the page: as a landmark it would be a second banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // A tooltip stays beside its target, and so within the same landmark of the page.
    Tooltip: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
  },
});

/** Colours that Mantine's defaults paint too pale for 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-hover': 'var(--mantine-color-gray-1)',
    '--millrace-sidebar': 'var(--mantine-color-gray-0)',
    '--millrace-line': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--millrace-sidebar': 'var(--mantine-color-dark-8)',
    '--millrace-line': 'var(--mantine-color-dark-5)',
  },
});
