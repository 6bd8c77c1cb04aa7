import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** A list of short texts, one per line. */
export function LinesInput(props: {
  readonly label: string;
  readonly description: ReactNode;
  readonly placeholder: string | undefined;
  readonly disabled: boolean;
  readonly value: readonly string[];
  readonly onChange: (lines: readonly string[]) => void;
  readonly error: string | undefined;
  /** The error of a line, by its index among those that aren't empty. */
  readonly errorAt: (line: number) => string | undefined;
}) {
  const { value, onChange, error, errorAt, ...field } = props;
  // What was typed, with its empty lines.
  const [text, setText] = useState(value.join('\n'));
  const wrong = value.findIndex((_line, index) => errorAt(index) !== undefined);
  return (
    <Textarea
      {...field}
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(linesOf(event.currentTarget.value));
      }}
      error={wrong === -1 ? error : `“${value[wrong]}”: ${errorAt(wrong)}`}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
