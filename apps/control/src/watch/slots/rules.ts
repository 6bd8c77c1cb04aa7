/** Length of a slot. Slots begin at multiples of it since 1970. */
export const slotMs = 10_000;

/** How long slots are kept, in milliseconds. */
export const slotRetentionMs = 48 * 3_600_000;
