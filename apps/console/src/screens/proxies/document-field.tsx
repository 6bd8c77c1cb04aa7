import { Alert, Button, Code, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useState } from 'react';
import { ResponseError } from '../../frame/api.ts';
import classes from './proxies.module.css';

const mostBytes = 5_000_000;

/** Messages by JSON pointer; an empty pointer is the document as a whole. */
export type DocumentErrors = readonly (readonly [pointer: string, message: string])[];

/** The server's errors about an OpenAPI document, and a send that collects them. */
export function useDocumentErrors() {
  const [errors, setErrors] = useState<DocumentErrors>([]);
  /** Sends a document; what is wrong with it is then listed below its field. */
  const collect = async <Result,>(send: () => Promise<Result>): Promise<Result> => {
    setErrors([]);
    try {
      return await send();
    } catch (error) {
      const all = error instanceof ResponseError ? Object.entries(error.errors) : [];
      const found = all
        .filter(([path]) => path === 'document' || /^document[#./]/.test(path))
        .map(([path, message]) => [path.replace(/^document#?/, ''), message] as const);
      setErrors(found);
      if (found.length === 0) throw error;
      const others = all.filter(([path]) => !path.startsWith('document'));
      throw new InvalidInput({ ...Object.fromEntries(others), document: 'The document has errors, listed below.' });
    }
  };
  return { errors, collect };
}

/** An OpenAPI document that is dropped, chosen or pasted, and what is wrong with it. */
export function DocumentField(props: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
  readonly errors: DocumentErrors;
}) {
  const { value, onChange, error, errors } = props;
  const [over, setOver] = useState(false);
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    setTooLarge(file.size > mostBytes ? `${file.name} is larger than 5 MB.` : null);
    if (file.size <= mostBytes) onChange(await file.text());
  };
  return (
    <Stack gap="xs">
      <Group
        className={classes.dropZone}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        <Text size="sm">Drop a JSON or YAML file here, or paste it below</Text>
        <FileButton onChange={take} accept=".json,.yaml,.yml,application/json,application/yaml">
          {(button) => (
            <Button {...button} variant="default" size="xs">
              Choose file
            </Button>
          )}
        </FileButton>
      </Group>
      <Textarea
        label="OpenAPI document"
        description="OpenAPI 3.0 or 3.1"
        required
        autosize
        minRows={8}
        maxRows={18}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={tooLarge ?? error}
        spellCheck={false}
        classNames={{ input: classes.codeInput! }}
      />
      {errors.length > 0 && (
        <Alert color="red" role="alert" title="Errors in the document">
          <List size="sm" spacing={4}>
            {errors.map(([pointer, message]) => (
              <List.Item key={pointer}>
                {pointer !== '' && <Code mr={6}>{pointer}</Code>}
                {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}
