import { type KeyboardEvent, useRef, useState } from 'react';
import type { Corrections } from './corrections.ts';
import { type ColumnDefinition, keyOf, type ShownValue, type ValuePath } from './paths.ts';
import { isNumeric, textOf, valueFrom } from './value-text.ts';
import classes from './workspace.module.css';

/** What a value's input needs besides the value. */
export interface Editing {
  readonly corrections: Corrections;
  readonly select: (key: string) => void;
  /** Called after Enter accepted a value, and on Tab; returns false to keep the browser's own Tab order. */
  readonly move: (from: HTMLElement, by: 'enter' | 'tab' | 'shift-tab') => boolean;
  /** Enter accepts an unchanged value, which marks it as checked. */
  readonly acceptsUnchanged: boolean;
}

/**
 * The input of a value. Leaving the input or pressing Enter saves; Escape reverts.
 *
 * @param props.label if it has no visible label
 */
export function ValueInput(props: {
  readonly path: ValuePath;
  readonly definition: ColumnDefinition & { readonly structured?: boolean };
  readonly shown: ShownValue | undefined;
  readonly editing: Editing;
  readonly label?: string;
  readonly describedBy?: string;
  /** Also set without a value, such as for a missing required field. */
  readonly doubtful: boolean;
}) {
  const { path, definition, shown, editing, doubtful } = props;
  const { corrections } = editing;
  const { kind } = definition;
  const key = keyOf(path);
  const text = textOf(shown?.value, kind);
  const [draft, setDraft] = useState<string | null>(null);
  const error = corrections.errorAt(key);
  const isLong = definition.structured === true || text.includes('\n');

  // Leaving the input after Enter must not save a second time.
  const sent = useRef<string | null>(null);
  /** Whether the value equals what the input shows. */
  const save = async (by: 'enter' | 'leaving'): Promise<boolean> => {
    const typed = draft ?? text;
    const value = valueFrom(typed, kind, shown?.value);
    const changed = textOf(value, kind) !== text;
    if (!changed && !(by === 'enter' && editing.acceptsUnchanged)) {
      setDraft(null);
      return true;
    }
    if (by === 'leaving' && sent.current === typed) return error === undefined;
    sent.current = typed;
    const taken = await corrections.correct({ ...path, value }, key);
    if (!taken) return false;
    sent.current = null;
    // Keep what was typed in the meantime.
    setDraft((now) => (now === draft ? null : now));
    return true;
  };
  /** Saves while the focus moves on, and moves it back if the value is rejected. */
  const saveOrReturn = async (input: HTMLElement, by: 'enter' | 'leaving') => {
    if (await save(by)) return;
    // Don't take the focus from somebody who already types into the next input.
    if (document.activeElement?.hasAttribute('data-draft')) return;
    input.focus({ preventScroll: true });
    input.scrollIntoView({ block: 'center' });
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === 'Escape' && draft !== null) {
      event.stopPropagation();
      setDraft(null);
      corrections.clearError(key);
    } else if (event.key === 'Enter' && plain && !event.shiftKey && !isLong) {
      event.preventDefault();
      saveOrReturn(event.currentTarget, 'enter');
      editing.move(event.currentTarget, 'enter');
    } else if (event.key === 'Tab' && plain) {
      saveOrReturn(event.currentTarget, 'leaving');
      if (editing.move(event.currentTarget, event.shiftKey ? 'shift-tab' : 'tab')) event.preventDefault();
    }
  };
  const common = {
    id: key,
    className: classes.input,
    'data-value': '',
    'data-doubtful': doubtful || undefined,
    'data-draft': draft === null ? undefined : '',
    'data-numeric': isNumeric(kind) || undefined,
    'aria-label': props.label,
    'aria-describedby': [props.describedBy, error && `${key}-error`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error !== undefined || undefined,
    autoComplete: 'off',
    spellCheck: false,
    value: draft ?? text,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setDraft(currentTarget.value);
      corrections.clearError(key);
    },
    onFocus: () => editing.select(key),
    onBlur: () => save('leaving'),
    onKeyDown: keyDown,
  };
  return (
    <>
      {isLong ? (
        <textarea {...common} rows={Math.min(8, text.split('\n').length + 1)} />
      ) : (
        <input {...common} type="text" inputMode={isNumeric(kind) ? 'decimal' : undefined} />
      )}
      {error && (
        <span id={`${key}-error`} role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </>
  );
}
