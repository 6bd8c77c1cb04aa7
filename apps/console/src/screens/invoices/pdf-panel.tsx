import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@millrace/ui/icons';
import { Failure } from '@millrace/ui/page';
import { saveText } from '@millrace/ui/save-text';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import classes from './invoices.module.css';

/** A document as its reader gets it, in the browser's own viewer; without one, it can be downloaded. */
export function PdfPanel(props: {
  /** Such as `INV-1`. */
  readonly number: string;
  /** Of what it is printed from: it is loaded again when this changes. */
  readonly version: number;
  readonly load: () => Promise<Blob>;
}) {
  const { number, version, load } = props;
  const { data, error } = useQuery({ queryKey: ['pdf', number, version], queryFn: load, retry: false });
  const address = useAddress(data);
  if (error) return <Failure error={error} />;
  if (!data || address === null) return <Loader aria-label="Loading" role="status" />;
  return (
    <object
      className={classes.pdf}
      data={address}
      type="application/pdf"
      aria-label={`${number} as PDF`}
      data-empty={!navigator.pdfViewerEnabled || undefined}
    >
      <Stack align="center" gap="xs">
        <Text size="sm" c="dimmed">
          This browser can’t show a PDF here.
        </Text>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => saveText(data, `${number.replaceAll('/', '-')}.pdf`)}
        >
          Download PDF
        </Button>
      </Stack>
    </object>
  );
}

/** Where the page finds a file that it holds in memory. */
function useAddress(file: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (file === undefined) return;
    const created = URL.createObjectURL(file);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return address;
}
