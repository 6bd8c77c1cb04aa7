import { ScrollArea, Stack } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { Loaded } from '@millrace/ui/page';
import { useQuery } from '@tanstack/react-query';
import { callFile } from '../../../frame/api.ts';
import classes from './specification.module.css';

/** The text of a specification's document. */
export function useDocumentText(specificationId: string, format: 'json' | 'yaml') {
  return useQuery({
    queryKey: ['downloadSpecification', specificationId, format],
    queryFn: async () =>
      (await callFile('downloadSpecification', { params: { specificationId }, query: { format } })).text(),
  });
}

/** The document as it is downloaded. */
export function DocumentText(props: { readonly specificationId: string; readonly format: 'json' | 'yaml' }) {
  const read = useDocumentText(props.specificationId, props.format);
  return (
    <Loaded read={read}>
      {(text) => (
        <Stack gap="xs">
          <CopyButton value={text} style={{ alignSelf: 'end' }} />
          <ScrollArea.Autosize
            mah="70vh"
            type="auto"
            className={classes.frame!}
            viewportProps={{ tabIndex: 0, 'aria-label': 'Document', role: 'region' }}
          >
            <pre className={classes.text}>{text}</pre>
          </ScrollArea.Autosize>
        </Stack>
      )}
    </Loaded>
  );
}
