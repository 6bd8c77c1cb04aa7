import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

/** A page that needs no session. */
export function EntrancePage(props: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(`${props.title} · ${texts().product}`);
  return (
    <Center component="main" p="md" className="entrance">
      <Stack w="100%" maw={400}>
        <Text fw={700} size="xl" ta="center" className="entrance-brand">
          <img src="/favicon.svg" alt="" width={28} height={28} style={{ verticalAlign: 'middle', marginRight: 8 }} />
          {texts().product}
        </Text>
        <Paper withBorder p="xl" shadow="sm">
          <Title order={1} size="h3" mb="md">
            {props.title}
          </Title>
          {props.children}
        </Paper>
      </Stack>
    </Center>
  );
}
