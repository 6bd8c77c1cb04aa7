import { showDone } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import { type FieldOptions, SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Writable } from '../settings/writable.tsx';

const registrations = { open: 'Anybody', approval: 'Anybody, after approval', closed: 'Nobody' } as const;
const languages = { en: 'English', de: 'German' } as const;

/** Who sees the developer portal, who may register, and its texts. */
export function PortalSettings() {
  const settings = useRead('getPortalSettings');
  return (
    <Loaded read={settings}>
      {(data) => (
        <Writable permission="portal.write">
          <SettingsForm key={data.version} settings={data} />
        </Writable>
      )}
    </Loaded>
  );
}

function SettingsForm({ settings }: { readonly settings: DataOf<'getPortalSettings'> }) {
  const update = useWrite('updatePortalSettings');
  return (
    <SchemaForm
      schema={bodyOf('updatePortalSettings')}
      initial={settings}
      omit={['theme', 'catalog', 'sandboxProductIds']}
      fields={{
        open: { label: 'Open the portal', help: 'Anybody can read it then' },
        registration: { label: 'Who may register', options: choicesOf(registrations), help: null },
        title: { help: 'If empty, the name of the organization' },
        texts: { fields: { en: textsIn('English'), de: textsIn('German') } },
        defaultLanguage: { options: choicesOf(languages) },
        legal: {
          label: 'Legal pages, linked at the end of every page',
          fields: {
            terms: { label: 'Terms of use', placeholder: 'https://' },
            privacy: { label: 'Privacy policy', placeholder: 'https://' },
            imprint: { placeholder: 'https://' },
          },
        },
      }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ body, version: settings.version });
        showDone('Settings saved.');
      }}
    />
  );
}

function choicesOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

function textsIn(language: string): FieldOptions {
  return {
    label: language,
    fields: {
      headline: { help: 'First line of the home page' },
      introduction: { help: 'Below the headline' },
      footer: { help: 'At the end of every page' },
    },
  };
}
