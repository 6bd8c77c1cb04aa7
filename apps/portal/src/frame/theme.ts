import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from '@mantine/core';
import { theme as kitTheme } from '@millrace/ui/theme';

/** The kit's theme in the organization's colours, which the page's `--portal-*` variables hold for either scheme. */
export const theme = createTheme({
  ...kitTheme,
  autoContrast: false,
  fontFamily: 'var(--portal-font)',
  fontFamilyMonospace: 'var(--portal-mono)',
  fontSizes: { xs: '13px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  headings: {
    ...kitTheme.headings,
    sizes: {
      h1: { fontSize: '26px', lineHeight: '1.3' },
      h2: { fontSize: '20px', lineHeight: '1.4' },
      h3: { fontSize: '17px', lineHeight: '1.4' },
      h4: { fontSize: '16px', lineHeight: '1.45' },
    },
  },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isAccent = input.color === undefined || input.color === kitTheme.primaryColor;
    if (input.variant !== 'filled' || !isAccent) return colors;
    return {
      ...colors,
      background: 'var(--portal-accent)',
      hover: 'color-mix(in srgb, var(--portal-accent) 88%, var(--portal-text))',
      color: 'var(--portal-accent-text)',
    };
  },
  components: {
    ...kitTheme.components,
    Checkbox: { defaultProps: { iconColor: 'var(--portal-accent-text)' } },
    Radio: { defaultProps: { iconColor: 'var(--portal-accent-text)' } },
  },
});

const colors = {
  '--mantine-color-body': 'var(--portal-background)',
  '--mantine-color-text': 'var(--portal-text)',
  '--mantine-color-bright': 'var(--portal-text)',
  '--mantine-color-dimmed': 'var(--portal-muted-text)',
  '--mantine-color-placeholder': 'var(--portal-muted-text)',
  '--mantine-color-anchor': 'var(--portal-link)',
  '--mantine-color-error': 'var(--portal-bad)',
  '--mantine-color-default': 'var(--portal-background)',
  '--mantine-color-default-color': 'var(--portal-text)',
  '--mantine-color-default-hover': 'var(--portal-surface)',
  '--mantine-color-default-border': 'var(--portal-control-border)',
  // Edges and grounds of parts, in light and in dark colours.
  '--mantine-color-gray-0': 'var(--portal-surface)',
  '--mantine-color-gray-1': 'var(--portal-surface)',
  '--mantine-color-gray-3': 'var(--portal-border)',
  '--mantine-color-gray-4': 'var(--portal-control-border)',
  '--mantine-color-dark-4': 'var(--portal-control-border)',
  '--mantine-color-dark-5': 'var(--portal-border)',
  '--mantine-color-dark-6': 'var(--portal-surface)',
  '--mantine-color-dark-7': 'var(--portal-background)',
  '--mantine-primary-color-filled': 'var(--portal-accent)',
  '--mantine-primary-color-contrast': 'var(--portal-accent-text)',
  '--mantine-color-water-filled': 'var(--portal-accent)',
  '--millrace-sidebar': 'var(--portal-surface)',
  '--millrace-line': 'var(--portal-border)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: colors, dark: colors });
