import { Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { showDone } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import { type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Writable } from '../settings/writable.tsx';
import { GuidePreview } from './guide-preview.tsx';
import classes from './portal.module.css';

const previewPauseMs = 400;

/** Edits the text of a guide beside what the portal makes of it. */
export function GuideText() {
  const { guideId } = useParams({ from: '/shell/developer-portal/guides/$guideId/' });
  const read = useRead('getGuide', { params: { guideId } });
  return <Loaded read={read}>{(guide) => <Editor key={`${guideId} ${guide.guideVersion}`} guide={guide} />}</Loaded>;
}

function Editor({ guide }: { readonly guide: DataOf<'getGuide'> }) {
  const { id, version } = guide;
  const update = useWrite('updateGuide');
  const [typed, setTyped] = useState(guide.source);
  const [source] = useDebouncedValue(typed, previewPauseMs);
  return (
    <div className={classes.columns}>
      <Writable permission="portal.write">
        <SchemaForm
          schema={bodyOf('updateGuide').pick({ title: true, summary: true, source: true })}
          initial={guide}
          fields={{
            summary: { help: 'Below the title, in lists and for search engines' },
            source: { render: (field) => <SourceField field={field} /> },
          }}
          submitLabel="Save version"
          onValues={(body) => setTyped(body.source ?? '')}
          send={async (body) => {
            const { guideVersion } = await update.mutateAsync({ params: { guideId: id }, body, version });
            showDone(guideVersion === guide.guideVersion ? 'Nothing has changed.' : `Version ${guideVersion} saved.`);
          }}
        />
      </Writable>
      <GuidePreview source={source} />
    </div>
  );
}

function SourceField({ field }: { readonly field: RenderedField }) {
  return (
    <Textarea
      label="Text"
      description="Markdown with tables; HTML is shown as text"
      className={classes.source!}
      autosize
      minRows={16}
      maxRows={40}
      spellCheck
      value={String(field.value)}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      error={field.error}
    />
  );
}
