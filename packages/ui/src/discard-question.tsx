import { lazy, Suspense } from 'react';

const load = () => import('./discard-question-dialog.tsx');
const Dialog = lazy(async () => ({ default: (await load()).DiscardQuestionDialog }));

/**
 * Asks whether unsaved input may be discarded. Its dialog is loaded on its own, since pages for visitors, such as the one to
 * sign in, have forms and no dialogs.
 */
export function DiscardQuestion(props: { readonly onStay: () => void; readonly onLeave: () => void }) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}

/** Loads the dialog, so that nobody has to wait for the question once there is unsaved input. */
export function prepareDiscardQuestion(): void {
  void load();
}
