import { Anchor, Text, TextInput } from '@mantine/core';
import { withVersionSegment } from './version-segment.ts';

/** A base path, with a hint where it has no version, which governance asks for. */
export function BasePathField(props: {
  readonly value: string;
  readonly onChange: (basePath: string) => void;
  readonly error: string | undefined;
  readonly description: string;
  readonly required?: boolean;
}) {
  const { value, onChange, error, description, required = true } = props;
  const versioned = withVersionSegment(value);
  return (
    <div>
      <TextInput
        label="Base path"
        description={description}
        placeholder="/v1/orders"
        required={required}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        spellCheck={false}
      />
      {versioned !== null && (
        <Text size="xs" c="dimmed" mt={6} role="status">
          Rule VER-001 expects a version in the path.{' '}
          <Anchor component="button" type="button" inherit underline="always" onClick={() => onChange(versioned)}>
            Use {versioned}
          </Anchor>
        </Text>
      )}
    </div>
  );
}
