import { ActionIcon, Group, Text } from '@mantine/core';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { operationOf } from '../../frame/api.ts';
import { type DocumentDetail, type NamedValue, valuesOf } from './paths.ts';
import { textOf } from './value-text.ts';
import classes from './workspace.module.css';

/** Widths of page images, in pixels, that the service renders. */
const pictureWidths = [480, 800, 1200, 1600, 2000];
const zooms = [1, 1.5, 2, 3];

const picture = operationOf('getDocumentPicture');

function pictureOf(documentId: string, page: number, width: number): string {
  const path = picture.path.replace(':id', encodeURIComponent(documentId)).replace(':page', String(page));
  return `${path}?width=${width}`;
}

type Place = NamedValue['shown']['provenance'][number];

/** The position of a value on a page. */
interface Mark {
  readonly id: string;
  readonly value: NamedValue;
  readonly box: Place['box'];
}

/**
 * A document's pages with a box around each value. The boxes are for pointers: with a keyboard or a screen reader, each
 * value is reached by its input, which highlights its box here.
 */
export function Pages(props: {
  readonly document: DocumentDetail;
  readonly selected: string | null;
  readonly onChoose: (key: string) => void;
}) {
  const { document, selected, onChoose } = props;
  const [zoom, setZoom] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => marksByPage(document), [document]);

  useEffect(() => {
    const pane = scroller.current;
    const box = pane?.querySelector<HTMLElement>('[data-selected]');
    if (!pane || !box || selected === null) return;
    const at = box.getBoundingClientRect();
    const frame = pane.getBoundingClientRect();
    const isInside =
      at.top >= frame.top && at.bottom <= frame.bottom && at.left >= frame.left && at.right <= frame.right;
    if (isInside) return;
    pane.scrollBy({
      top: at.top - frame.top - (frame.height - at.height) / 2,
      left: at.left - frame.left - (frame.width - at.width) / 2,
    });
  }, [selected]);

  const scale = zooms[zoom]!;
  return (
    <div className={classes.pagesPane}>
      <Group gap={4} className={classes.zoom!}>
        <ActionIcon
          variant="default"
          aria-label="Zoom out"
          disabled={zoom === 0}
          onClick={() => setZoom((present) => Math.max(0, present - 1))}
        >
          −
        </ActionIcon>
        <Text size="xs" w={44} ta="center" aria-live="polite">
          {scale * 100} %
        </Text>
        <ActionIcon
          variant="default"
          aria-label="Zoom in"
          disabled={zoom === zooms.length - 1}
          onClick={() => setZoom((present) => Math.min(zooms.length - 1, present + 1))}
        >
          +
        </ActionIcon>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard, pages are scrolled here. */}
      <section ref={scroller} className={classes.pages} aria-label="Pages" tabIndex={0}>
        {document.pages.map(({ number, width, height }) => (
          <div key={number} className={classes.page} style={{ width: `${scale * 100}%`, aspectRatio: width / height }}>
            <PagePicture documentId={document.id} number={number} count={document.pages.length} scale={scale} />
            <div aria-hidden>
              {(marks.get(number) ?? []).map(({ id, value, box }) => (
                <button
                  key={id}
                  type="button"
                  tabIndex={-1}
                  className={classes.box}
                  data-doubtful={value.shown.doubtful || undefined}
                  data-selected={selected === value.key || undefined}
                  title={`${value.label}: ${textOf(value.shown.value, 'text')}`}
                  onClick={() => onChoose(value.key)}
                  style={{
                    left: `${(box.x0 / width) * 100}%`,
                    top: `${(box.y0 / height) * 100}%`,
                    width: `${((box.x1 - box.x0) / width) * 100}%`,
                    height: `${((box.y1 - box.y0) / height) * 100}%`,
                  }}
                />
              ))}
            </div>
          </div>
        ))}
      </section>
    </div>
  );
}

const PagePicture = memo(function PagePicture(props: {
  readonly documentId: string;
  readonly number: number;
  readonly count: number;
  readonly scale: number;
}) {
  const { documentId, number, count, scale } = props;
  const [failed, setFailed] = useState(false);
  if (failed) {
    return (
      <Text size="sm" p="md" c="dimmed">
        Page {number} cannot be shown.
      </Text>
    );
  }
  return (
    <img
      className={classes.picture}
      alt={`Page ${number} of ${count}`}
      loading="lazy"
      decoding="async"
      src={pictureOf(documentId, number, 1200)}
      srcSet={pictureWidths.map((width) => `${pictureOf(documentId, number, width)} ${width}w`).join(', ')}
      sizes={`(min-width: 62em) ${45 * scale}vw, ${95 * scale}vw`}
      onError={() => setFailed(true)}
    />
  );
});

/** The boxes of each page, without empty ones, such as those of values that aren't printed. */
function marksByPage(document: DocumentDetail): ReadonlyMap<number, readonly Mark[]> {
  const marks = valuesOf(document).flatMap((value) =>
    value.shown.provenance
      .filter(({ box }) => box.x1 > box.x0 && box.y1 > box.y0)
      .map(({ page, box }, index) => ({ page, mark: { id: `${value.key} ${index}`, value, box } })),
  );
  return new Map(
    document.pages.map(({ number }) => [number, marks.filter(({ page }) => page === number).map(({ mark }) => mark)]),
  );
}
