import { Text, Typography } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { useRead } from '../../frame/api.ts';
import classes from './portal.module.css';

/** What the portal makes of a guide's Markdown. */
export function GuidePreview({ source }: { readonly source: string }) {
  const preview = useRead('previewGuide', { body: { source } }, { keepsPrevious: true });
  return (
    <section aria-label="Preview" className={classes.preview}>
      <Loaded read={preview}>
        {({ html }) =>
          html === '' ? (
            <Text size="sm" c="dimmed">
              Nothing to preview yet.
            </Text>
          ) : (
            <Typography
              className={classes.rendered!}
              // biome-ignore lint/security/noDangerouslySetInnerHtml: the server makes it from Markdown without HTML.
              dangerouslySetInnerHTML={{ __html: html }}
            />
          )
        }
      </Loaded>
    </section>
  );
}
