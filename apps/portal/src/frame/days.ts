/** The last days of UTC until today, as a range of a usage query. */
export function lastDays(count: number, now = Date.now()): { readonly from: string; readonly to: string } {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: dayOf(now - (count - 1) * 86_400_000), to: dayOf(now) };
}
