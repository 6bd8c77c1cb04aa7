import { ApiError } from './errors.ts';

/** Running tasks, limited so that no organization takes all slots. */
export interface Slots {
  /** Runs the task if a slot is free. @throws ApiError `too_many_requests` */
  use<Result>(organizationId: string, run: () => Promise<Result>): Promise<Result>;
}

interface SlotCounts {
  readonly ofOrganization: number;
  readonly inAll: number;
  /** After which there may be room again. */
  readonly retrySeconds: number;
}

/** @param name of several, such as `traces` */
export function createSlots(name: string, { ofOrganization, inAll, retrySeconds }: SlotCounts): Slots {
  const running = new Map<string, number>();
  let all = 0;
  return {
    async use(organizationId, run) {
      const own = running.get(organizationId) ?? 0;
      if (own >= ofOrganization || all >= inAll) {
        const what = own >= ofOrganization ? `${own} ${name} of your organization` : `${all} ${name}`;
        throw new ApiError('too_many_requests', {
          message: `${what} are running. Try again in a few seconds.`,
          headers: { 'retry-after': String(retrySeconds) },
        });
      }
      running.set(organizationId, own + 1);
      all += 1;
      try {
        return await run();
      } finally {
        all -= 1;
        const left = running.get(organizationId)! - 1;
        if (left === 0) running.delete(organizationId);
        else running.set(organizationId, left);
      }
    },
  };
}
