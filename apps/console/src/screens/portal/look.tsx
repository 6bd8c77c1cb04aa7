import { ColorInput, Stack } from '@mantine/core';
import type { ThemeColors } from '@millrace/portal-theme';
import { showDone } from '@millrace/ui/form';
import { Loaded, Section } from '@millrace/ui/page';
import { type FieldOptions, type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { LogoField } from '../../frame/logo-field.tsx';
import { Writable } from '../settings/writable.tsx';
import classes from './portal.module.css';
import { ThemePreview } from './theme-preview.tsx';

type Settings = DataOf<'getPortalSettings'>;

/** Colours and logos of the developer portal. */
export function PortalLook() {
  const settings = useRead('getPortalSettings');
  return (
    <Loaded read={settings}>
      {(data) => (
        <Writable permission="portal.write">
          <Stack gap="lg" pt="md">
            <Section title="Colours" description="Text needs a contrast of 4.5, the accent colour one of 3 (WCAG 2.2)">
              <ThemeForm key={JSON.stringify(data.theme)} settings={data} />
            </Section>
            <Section title="Logo" description="A PNG file of at most 200 KB, also the icon in the browser’s tab">
              <Logos settings={data} />
            </Section>
          </Stack>
        </Writable>
      )}
    </Loaded>
  );
}

function ThemeForm({ settings }: { readonly settings: Settings }) {
  const update = useWrite('updatePortalSettings');
  const [theme, setTheme] = useState(settings.theme);
  return (
    <div className={classes.columns}>
      <SchemaForm
        schema={bodyOf('updatePortalSettings').pick({ theme: true })}
        initial={settings}
        fields={{ theme: { fields: { light: colorsOf('Light mode'), dark: colorsOf('Dark mode') } } }}
        submitLabel="Save"
        onValues={({ theme: typed }) => typed && setTheme(typed)}
        send={async (body) => {
          await update.mutateAsync({ body, version: settings.version });
          showDone('Colours saved.');
        }}
      />
      <Stack className={classes.beside!}>
        <ThemePreview title="Light mode" colors={theme.light} />
        <ThemePreview title="Dark mode" colors={theme.dark} />
      </Stack>
    </div>
  );
}

function colorsOf(label: string): FieldOptions {
  const color = (purpose: string): FieldOptions => ({
    render: (field) => <ColorField field={field} purpose={purpose} />,
  });
  const fields: Readonly<Record<keyof ThemeColors, FieldOptions>> = {
    accent: color('Buttons and marks'),
    background: color('Pages'),
    surface: color('Cards and panels'),
    text: color('On pages, cards and panels'),
  };
  return { label, fields };
}

function ColorField(props: { readonly field: RenderedField; readonly purpose: string }) {
  const { label, value, onChange, error } = props.field;
  return (
    <ColorInput
      label={label}
      description={props.purpose}
      format="hex"
      withEyeDropper={false}
      value={String(value)}
      onChange={(color) => onChange(color.toLowerCase())}
      error={error}
      maw={240}
    />
  );
}

function Logos({ settings }: { readonly settings: Settings }) {
  const { logo, logoDark, theme, version } = settings;
  const logos = useRead('getPortalLogos', undefined, { enabled: logo !== null || logoDark !== null });
  const set = useWrite('setPortalLogo');
  return (
    <Stack>
      <LogoField
        noun="logo"
        alt="Logo of the portal"
        png={logo && logos.data?.light}
        background={theme.light.background}
        save={(png) => set.mutateAsync({ body: { variant: 'light', png }, version })}
      />
      <LogoField
        noun="logo for dark mode"
        alt="Logo of the portal in dark mode"
        png={logoDark && logos.data?.dark}
        background={theme.dark.background}
        save={(png) => set.mutateAsync({ body: { variant: 'dark', png }, version })}
      />
    </Stack>
  );
}
