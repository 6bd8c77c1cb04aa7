import { Alert, Code, List } from '@mantine/core';

/** Sentences by JSON pointer; an empty pointer is the document as a whole. */
export type Faults = readonly (readonly [pointer: string, message: string])[];

/** What the server says of an OpenAPI document itself. */
export function documentFaults(errors: Readonly<Record<string, string>>): Faults {
  return Object.entries(errors)
    .filter(([path]) => path === 'document' || /^document[#./]/.test(path))
    .map(([path, message]) => [path.replace(/^document#?/, ''), message] as const);
}

/** Each fault with its place. */
export function DocumentFaults(props: { readonly faults: Faults }) {
  return (
    <Alert color="red" role="alert" title="What is wrong with the document">
      <List size="sm" spacing={4}>
        {props.faults.map(([pointer, message]) => (
          <List.Item key={pointer}>
            {pointer !== '' && <Code mr={6}>{pointer}</Code>}
            {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
