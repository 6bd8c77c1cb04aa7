import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { createContext, type ReactNode, useContext } from 'react';
import { texts } from './texts.ts';

const FramedContext = createContext(false);

/** For entrance pages within another page, which has the product's name, and is the main landmark. */
export const EntranceFrame = FramedContext.Provider;

/** A page that needs no session. */
export function EntrancePage(props: { readonly title: string; readonly children: ReactNode }) {
  const isFramed = useContext(FramedContext);
  const { product } = texts();
  useDocumentTitle(`${props.title} · ${product}`);
  return (
    <Center component={isFramed ? 'div' : 'main'} p="md" className="entrance" data-framed={isFramed || undefined}>
      <Stack w="100%" maw={400}>
        {!isFramed && (
          <Text fw={700} size="xl" ta="center">
            <img src="/favicon.svg" alt="" width={28} height={28} style={{ verticalAlign: 'middle', marginRight: 8 }} />
            {product}
          </Text>
        )}
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
