import { Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Loaded } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { useRead, useWrite } from '../../frame/api.ts';

/** The comments on a request, oldest first, and a field to add one. */
export function Comments({ requestId }: { readonly requestId: string }) {
  const params = { requestId };
  const read = useRead('listLifecycleComments', { params, query: { pageSize: 100 } }, { refetchInterval: 15_000 });
  const comment = useWrite('createLifecycleComment');
  const form = useForm({ text: '' }, async (body) => {
    await comment.mutateAsync({ params, body });
    form.reset({ text: '' });
  });
  return (
    <Stack>
      <Loaded read={read}>
        {({ comments }) => (
          <Stack gap="sm" aria-live="polite">
            {comments.map(({ id, authorName, createdAt, text }) => (
              <article key={id}>
                <Group gap="xs">
                  <Text fw={500} size="sm">
                    {authorName}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <Ago at={createdAt} />
                  </Text>
                </Group>
                <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                  {text}
                </Text>
              </article>
            ))}
          </Stack>
        )}
      </Loaded>
      <FormBody form={form} submitLabel="Comment">
        <Textarea label="Comment" autosize minRows={2} {...form.text('text')} />
      </FormBody>
    </Stack>
  );
}
