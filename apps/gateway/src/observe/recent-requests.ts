import type { RequestRecord } from '@millrace/data-plane/record';
import type { RecentRequest } from '@millrace/gateway-configuration/reports';

/** Apps whose requests are kept between two reports; those of further ones are left out. */
const mostApps = 200;
/** Requests kept of each: the newest ones. */
const mostOfApp = 50;
/** Requests in one report. */
const mostReported = 500;
const places = mostApps * mostOfApp;

/** The last requests of each app since the last report, for the developers who look for their own calls. */
export interface RecentRequests {
  /** Keeps a request of an app. This takes some tens of nanoseconds and allocates nothing but an app's entry. */
  record(record: RequestRecord): void;
  /** Takes what was kept, newest first; of many apps, fewer of each. What isn't delivered then is lost. */
  take(): RecentRequest[];
}

/** Keeps requests in preallocated memory: of each neither its path nor anything that it carried. */
export function createRecentRequests(): RecentRequests {
  const apps = new Map<string, number>();
  /** Requests of each app since the last report; the place of the next one in its ring follows from it. */
  const counts = new Uint32Array(mostApps);
  const startedAtMs = new Float64Array(places);
  const latencyUs = new Float64Array(places);
  const statuses = new Uint16Array(places);
  const requestIds: string[] = Array.from({ length: places }, () => '');
  const methods = [...requestIds];
  const proxyIds = [...requestIds];
  const routeIds = [...requestIds];
  const productIds: (string | null)[] = [...requestIds];

  function requestAt(appId: string, place: number): RecentRequest {
    return {
      requestId: requestIds[place]!,
      at: new Date(startedAtMs[place]!).toISOString(),
      appId,
      productId: productIds[place]!,
      proxyId: proxyIds[place]!,
      routeId: routeIds[place] === '' ? null : routeIds[place]!,
      method: methods[place]!.slice(0, 20),
      status: statuses[place]!,
      durationUs: Math.max(0, latencyUs[place]!),
    };
  }

  return {
    record(record) {
      const { appId } = record;
      if (appId === null) return;
      let app = apps.get(appId);
      if (app === undefined) {
        app = apps.size;
        if (app === mostApps) return;
        apps.set(appId, app);
        counts[app] = 0;
      }
      const place = app * mostOfApp + (counts[app]!++ % mostOfApp);
      startedAtMs[place] = record.startedAtMs;
      latencyUs[place] = record.latencyUs;
      statuses[place] = record.status;
      requestIds[place] = record.requestId;
      methods[place] = record.method;
      proxyIds[place] = record.proxyId;
      routeIds[place] = record.routeId;
      productIds[place] = record.productId;
    },
    take() {
      const each = Math.min(mostOfApp, Math.floor(mostReported / Math.max(1, apps.size)));
      const taken: RecentRequest[] = [];
      for (const [appId, app] of apps) {
        const count = counts[app]!;
        for (let back = 1; back <= Math.min(count, each); back++) {
          taken.push(requestAt(appId, app * mostOfApp + ((count - back) % mostOfApp)));
        }
      }
      apps.clear();
      return taken;
    },
  };
}
