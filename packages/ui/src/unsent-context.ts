import { createContext } from 'react';

/** Reports unsaved input to the dialog around a form. */
export const UnsentContext = createContext<(unsent: boolean) => void>(() => {});
