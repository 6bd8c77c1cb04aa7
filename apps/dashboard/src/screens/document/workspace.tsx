import { type ReactNode, type RefObject, useRef, useState } from 'react';
import type { Corrections } from './corrections.ts';
import { Pages } from './pages.tsx';
import type { DocumentDetail } from './paths.ts';
import type { Editing } from './value-input.tsx';
import classes from './workspace.module.css';

/** A document's pages next to its values. */
export function Workspace(props: {
  readonly document: DocumentDetail;
  readonly selected: string | null;
  /** Called when a box on a page is clicked. */
  readonly onChoose: (key: string) => void;
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly children: ReactNode;
}) {
  const { document, selected, onChoose, panel, children } = props;
  return (
    <div className={classes.workspace}>
      <Pages document={document} selected={selected} onChoose={onChoose} />
      <div className={classes.panel} ref={panel}>
        {children}
      </div>
    </div>
  );
}

/**
 * Keyboard navigation through a document's values. With `throughDoubtful`, Tab and Enter go from one low-confidence value
 * to the next, and from the last one to the element with `data-after-values`; Enter accepts an unchanged value. Without
 * it, Tab keeps its usual behaviour, and Enter goes to the next value.
 */
export function useEditing(corrections: Corrections, throughDoubtful: boolean) {
  const [selected, select] = useState<string | null>(null);
  const panel = useRef<HTMLDivElement>(null);

  const move: Editing['move'] = (from, by) => {
    if (!throughDoubtful && by !== 'enter') return false;
    const wanted = throughDoubtful ? '[data-value][data-doubtful]' : '[data-value]';
    const inputs = [...(panel.current?.querySelectorAll<HTMLElement>(wanted) ?? [])];
    const next =
      by === 'shift-tab'
        ? inputs.findLast((input) => from.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_PRECEDING)
        : (inputs.find((input) => from.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING) ??
          (throughDoubtful ? panel.current?.querySelector<HTMLElement>('[data-after-values]') : null));
    if (!next) return false;
    next.focus();
    if (next instanceof HTMLInputElement) next.select();
    return true;
  };
  const editing: Editing = { corrections, select, move, acceptsUnchanged: throughDoubtful };
  return {
    editing,
    selected,
    panel,
    /** Focuses a value's input. */
    choose: (key: string) => {
      select(key);
      const input = document.getElementById(key);
      input?.focus({ preventScroll: true });
      input?.scrollIntoView({ block: 'center' });
    },
  };
}
