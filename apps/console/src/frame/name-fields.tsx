import { TextInput } from '@mantine/core';
import type { Form } from '@millrace/ui/form';
import { useState } from 'react';

/** A name made of a title: `Pet Store (EU)` becomes `pet-store-eu`. */
function nameOfTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
}

/** The display name of something, and its name, which follows the display name until it is edited. */
export function NameFields<Values extends { readonly displayName: string; readonly name: string }>(props: {
  readonly form: Form<Values>;
  /** An example of a display name. */
  readonly placeholder: string;
  /** It already has a name, which no longer follows. */
  readonly named: boolean;
}) {
  const { form, placeholder } = props;
  const [named, setNamed] = useState(props.named);
  return (
    <>
      <TextInput
        label="Display name"
        placeholder={placeholder}
        required
        data-autofocus
        {...form.text('displayName')}
        onChange={(event) => {
          const displayName = event.currentTarget.value;
          form.set('displayName', displayName as Values['displayName']);
          if (!named) form.set('name', nameOfTitle(displayName) as Values['name']);
        }}
      />
      <TextInput
        label="Name"
        description="Lower-case letters, digits and hyphens, for pipelines and the audit trail"
        required
        {...form.text('name')}
        onChange={(event) => {
          setNamed(true);
          form.set('name', event.currentTarget.value as Values['name']);
        }}
        spellCheck={false}
      />
    </>
  );
}
