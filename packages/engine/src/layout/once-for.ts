import type { Layout } from '@millrace/document-model';

/** What is found in a layout, found once, however many candidates or blocks are held against it. */
export function onceFor<Found>(find: (layout: Layout) => Found): (layout: Layout) => Found {
  const known = new WeakMap<Layout, { readonly found: Found }>();
  return (layout) => {
    let entry = known.get(layout);
    if (!entry) {
      entry = { found: find(layout) };
      known.set(layout, entry);
    }
    return entry.found;
  };
}
