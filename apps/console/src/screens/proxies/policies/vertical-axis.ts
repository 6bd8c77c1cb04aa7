import type { Modifier } from '@dnd-kit/core';

/** Keeps what is dragged in its lane: it goes up and down alone. */
export const restrictToVerticalAxis: Modifier = ({ transform }) => ({ ...transform, x: 0 });
