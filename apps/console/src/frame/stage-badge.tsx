import { Badge } from '@mantine/core';

const colors: Readonly<Record<string, string>> = {
  draft: 'gray.7',
  in_review: 'blue.9',
  approved: 'green.9',
  published: 'water.8',
  deprecated: 'orange.9',
  retired: 'dark.4',
};

/** A proxy's stage of life. */
export function StageBadge({ stage }: { readonly stage: string }) {
  return (
    <Badge variant="filled" color={colors[stage] ?? 'gray.7'} tt="none">
      {wordsOf(stage)}
    </Badge>
  );
}

/** A code of the API, such as `rolling_out`, as words. */
export function wordsOf(code: string): string {
  const words = code.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
