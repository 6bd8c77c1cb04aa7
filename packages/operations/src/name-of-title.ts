/** A name derived from a title: `Pet Store (EU)` becomes `pet-store-eu`; empty if nothing of it can be used. */
export function nameOfTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
}
