import { ResponseError } from '@millrace/operations/client';
import { showFailure } from '@millrace/ui/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ArgumentsOf, call, readOf } from '../../frame/api.ts';

export type Change = ArgumentsOf<'correctDocument'>['body']['changes'][number];

/** Corrections of one document, made one after the other, each based on the result of the previous one. */
export interface Corrections {
  /**
   * Makes a change. The revalidated document in the response replaces the current one.
   *
   * @param key of the value, where an error is shown; null for a change of whole rows
   * @returns whether it was accepted
   */
  correct(change: Change, key: string | null): Promise<boolean>;
  /** Waits until every change is made; returns whether all of them were accepted. */
  settled(): Promise<boolean>;
  /** Why the service rejected a value. */
  errorAt(key: string): string | undefined;
  /** Clears the error once the value is edited again. */
  clearError(key: string): void;
}

export function useCorrections(documentId: string): Corrections {
  const cache = useQueryClient();
  const last = useRef(Promise.resolve());
  const errors = useRef<Readonly<Record<string, string>>>({});
  const [, redraw] = useState(0);
  const { queryKey } = readOf('getDocument', { params: { id: documentId } });

  const setError = (key: string, message: string | undefined) => {
    const { [key]: _before, ...others } = errors.current;
    errors.current = message === undefined ? others : { ...others, [key]: message };
    redraw((count) => count + 1);
  };

  async function make(change: Change, key: string | null): Promise<boolean> {
    try {
      const version = cache.getQueryData(queryKey)?.version ?? 0;
      const document = await call('correctDocument', {
        params: { id: documentId },
        body: { version, changes: [change] },
      });
      cache.setQueryData(queryKey, document);
      if (key !== null) setError(key, undefined);
      // Lists are refetched when they are opened; the number of waiting documents is on every screen.
      cache.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'getDocument', refetchType: 'none' });
      cache.refetchQueries({ queryKey: ['getHome'] });
      return true;
    } catch (error) {
      if (key !== null && error instanceof ResponseError && error.code === 'invalid_request') {
        setError(key, Object.values(error.errors)[0] ?? error.message);
        return false;
      }
      showFailure(error);
      if (error instanceof ResponseError && error.code === 'conflict') await cache.invalidateQueries({ queryKey });
      return false;
    }
  }

  return {
    correct: (change, key) => {
      const made = last.current.then(() => make(change, key));
      last.current = made.then(() => undefined);
      return made;
    },
    settled: async () => {
      await last.current;
      return Object.keys(errors.current).length === 0;
    },
    errorAt: (key) => errors.current[key],
    clearError: (key) => {
      if (errors.current[key] !== undefined) setError(key, undefined);
    },
  };
}
