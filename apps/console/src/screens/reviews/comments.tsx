import { Card, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { useRead, useWrite } from '../../frame/api.ts';

/** What was said about a request, the oldest first, and a field to say more. */
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
            {comments.length === 0 && <Text c="dimmed">Nobody said anything yet.</Text>}
            {comments.map(({ id, authorName, createdAt, text }) => (
              <Card key={id} withBorder padding="sm" component="article">
                <Group gap="xs" mb={4}>
                  <Text fw={600} size="sm">
                    {authorName}
                  </Text>
                  <Text size="sm" c="dimmed">
                    <Moment at={createdAt} />
                  </Text>
                </Group>
                <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                  {text}
                </Text>
              </Card>
            ))}
          </Stack>
        )}
      </Loaded>
      <FormBody form={form} submitLabel="Comment">
        <Textarea label="Your comment" autosize minRows={2} {...form.text('text')} />
      </FormBody>
    </Stack>
  );
}
