/** What a visitor chose on a public page: a product, and one of its plans, by their names. */
export interface StartSearch {
  readonly product?: string;
  readonly plan?: string;
}

/** Reads the choice from an address. */
export function startSearch(query: Record<string, unknown>): StartSearch {
  const { product, plan } = query;
  return {
    ...(typeof product === 'string' && isName(product) ? { product } : {}),
    ...(typeof plan === 'string' && isName(plan) ? { plan } : {}),
  };
}

const isName = (text: string) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text);

const key = 'portal start';

/** Keeps the choice in this browser while its owner registers: the link of the e-mail doesn't carry it. */
export function keepChoice(choice: StartSearch): void {
  if (choice.product !== undefined) localStorage.setItem(key, JSON.stringify(choice));
}

/** The kept choice, which is then forgotten. */
export function takeChoice(): StartSearch {
  const kept = localStorage.getItem(key);
  localStorage.removeItem(key);
  try {
    return startSearch(JSON.parse(kept ?? '{}'));
  } catch {
    return {};
  }
}
