import { Drawer, Modal } from '@mantine/core';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { DiscardQuestion } from './discard-question.tsx';
import { texts } from './texts.ts';
import { UnsentContext } from './unsent-context.ts';

/**
 * A form in a dialog. Its content is created whenever it opens, so that it starts with current values. With unsaved
 * input, Escape, the close button and a click outside ask first.
 *
 * @param props.large for forms of more than a few fields: a drawer from the side
 */
export function FormDialog(props: {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly large?: boolean;
  readonly children: ReactNode;
}) {
  const { title, opened, onClose, large } = props;
  const unsent = useRef(false);
  const [asking, setAsking] = useState(false);
  const noteUnsent = useCallback((now: boolean) => {
    unsent.current = now;
  }, []);
  const close = () => {
    // Escape also reaches this dialog while the question is open above it.
    if (asking) return;
    if (unsent.current) setAsking(true);
    else onClose();
  };
  const closeButtonProps = { 'aria-label': texts().close };
  const children = (
    <UnsentContext value={noteUnsent}>
      {props.children}
      {asking && (
        <DiscardQuestion
          onStay={() => setAsking(false)}
          onLeave={() => {
            setAsking(false);
            onClose();
          }}
        />
      )}
    </UnsentContext>
  );
  return large ? (
    <Drawer {...{ title, opened, closeButtonProps, children }} onClose={close} position="right" size="lg" />
  ) : (
    <Modal {...{ title, opened, closeButtonProps, children }} onClose={close} size="lg" />
  );
}
