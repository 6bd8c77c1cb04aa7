import { Button, FileButton, Group, Text } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { IconTrash, IconUpload } from '@millrace/ui/icons';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import classes from './settings.module.css';

/** The logo that invoices are printed with. */
export function InvoiceLogo({ settings }: { readonly settings: DataOf<'getBillingSettings'> }) {
  const { logo, version } = settings;
  const read = useRead('getBillingLogo', undefined, { enabled: logo !== null });
  const set = useWrite('setBillingLogo');
  const save = async (png: string | null) => {
    try {
      await set.mutateAsync({ body: { png }, version });
      showDone(png === null ? 'Logo removed.' : 'Logo saved.');
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Group align="center">
      <div className={classes.logo}>
        {logo !== null && read.data?.png ? (
          <img src={`data:image/png;base64,${read.data.png}`} alt="Logo on invoices" />
        ) : (
          <Text size="sm" c="dimmed">
            No logo
          </Text>
        )}
      </div>
      <FileButton accept="image/png" onChange={async (file) => file && save(await base64Of(file))}>
        {(button) => (
          <Button
            {...button}
            variant="default"
            leftSection={<IconUpload size={15} aria-hidden />}
            loading={set.isPending}
          >
            {logo === null ? 'Upload logo' : 'Replace logo'}
          </Button>
        )}
      </FileButton>
      {logo !== null && (
        <Button variant="default" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => save(null)}>
          Remove logo
        </Button>
      )}
    </Group>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
