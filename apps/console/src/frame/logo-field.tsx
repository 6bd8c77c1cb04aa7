import { Button, FileButton, Group, Text } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { IconTrash, IconUpload } from '@millrace/ui/icons';
import { useState } from 'react';
import classes from './logo-field.module.css';

/** Shows a logo, and uploads, replaces or removes it. */
export function LogoField(props: {
  /** What it is, such as `logo`, for the buttons. */
  readonly noun: string;
  /** Describes the image. */
  readonly alt: string;
  /** The PNG as base64; null where there is none, undefined until it is read. */
  readonly png: string | null | undefined;
  /** What it will be shown on. */
  readonly background: string;
  /** With null, it is removed. */
  readonly save: (png: string | null) => Promise<unknown>;
}) {
  const { noun, alt, png, background, save } = props;
  const [saving, setSaving] = useState(false);
  const title = noun.charAt(0).toUpperCase() + noun.slice(1);
  const set = async (next: string | null) => {
    setSaving(true);
    try {
      await save(next);
      showDone(next === null ? `${title} removed.` : `${title} saved.`);
    } catch (error) {
      showFailure(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Group align="center">
      <div className={classes.frame} style={png ? { background } : undefined}>
        {png ? (
          <img src={`data:image/png;base64,${png}`} alt={alt} />
        ) : (
          <Text size="sm" c="dimmed">
            No {noun}
          </Text>
        )}
      </div>
      <FileButton accept="image/png" onChange={async (file) => file && set(await base64Of(file))}>
        {(button) => (
          <Button {...button} variant="default" leftSection={<IconUpload size={15} aria-hidden />} loading={saving}>
            {png ? `Replace ${noun}` : `Upload ${noun}`}
          </Button>
        )}
      </FileButton>
      {png && (
        <Button variant="default" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => set(null)}>
          {`Remove ${noun}`}
        </Button>
      )}
    </Group>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
