import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Mill-water teal; the sixth shade keeps 4.5:1 beside white. */
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

export const theme = createTheme({
  colors: { water },
  primaryColor: 'water',
  primaryShade: { light: 6, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    // The head of a dialog is none of the page: to who goes by landmarks, it would be a second banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // A hint stands beside what it is of, and so in the same part of the page to who goes by landmarks.
    Tooltip: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } },
  },
});

/** Texts that Mantine paints too pale for 4.5:1 beside their backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
