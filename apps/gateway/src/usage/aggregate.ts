import type {
  DeploymentRow,
  FailureRow,
  MeteredRow,
  RouteRow,
  SlotRow,
  TrafficRow,
  UsageRows,
} from '@millrace/gateway-configuration/reports';
import { SparseHistograms } from './sparse-histograms.ts';
import { Table } from './table.ts';
import { Dictionary, slotMs, type Turn } from './turn.ts';

const minutesOfHour = 60;
const minutesOfQuarter = 15;
const minuteMs = 60_000;
const slotsOfMinute = minuteMs / slotMs;
const slotsOfHour = slotsOfMinute * minutesOfHour;

/** Values of a row, in this order. */
const statuses = ['requests', 'status2xx', 'status3xx', 'status4xx', 'status5xx'] as const;
const trafficValues = [...statuses, 'limited', 'requestBytes', 'responseBytes'] as const;
/** Of failed requests: the first digit of these. */
const failures = ['status4xx', 'status5xx'] as const;
const limitedAt = statuses.length;
const requestBytesAt = limitedAt + 1;
const responseBytesAt = limitedAt + 2;
/** Units are split, so that sums stay exact: whole ones, and millionths below a whole one. */
const meteredCounts = ['requests', 'requestBytes', 'responseBytes', 'withoutUnits', 'unreadableUnits'] as const;
const metered = { requests: 0, requestBytes: 1, responseBytes: 2, withoutUnits: 3, unreadableUnits: 4 } as const;
const wholeUnitsAt = meteredCounts.length;
const microUnitsAt = wholeUnitsAt + 1;
const valuesOfMetered = microUnitsAt + 1;
const microOfUnit = 1_000_000;

/** Requests counted by their dimensions: one row per hour, proxy, app, product, country, and so on. */
export class Aggregate {
  readonly #dictionary = new Dictionary();
  /** Hour, proxy, app, product, country. */
  readonly #traffic = new Table(5, trafficValues.length);
  /** Of row `n`: `2n` the time in the gateway, `2n + 1` the target's. */
  readonly #times = new SparseHistograms();
  /** Minute, deployment. */
  readonly #deployments = new Table(2, statuses.length);
  readonly #latencies = new SparseHistograms();
  /** Hour, proxy, route. */
  readonly #routes = new Table(3, statuses.length);
  /** Hour, proxy, route, app, product: requests of an app that failed. */
  readonly #failures = new Table(5, failures.length);
  /** Quarter of an hour, term, proxy, status class. */
  readonly #metered = new Table(4, valuesOfMetered);
  /** Ten seconds, proxy. */
  readonly #slots = new Table(2, trafficValues.length);
  /** Of row `n`: `3n` the time in the gateway, `3n + 1` the target's, `3n + 2` the latency. */
  readonly #slotTimes = new SparseHistograms();
  /** Maps the last given strings' numbers to those of {@link Aggregate.#dictionary}. */
  #numbers = new Int32Array(64);
  #strings: readonly string[] = [];
  #translated = 0;

  get rows(): number {
    return this.#tables.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** @param strings that the turn's numbers refer to */
  addTurn(turn: Turn, from: number, to: number, strings: readonly string[]): void {
    if (strings !== this.#strings || strings.length > this.#translated) this.#translate(strings);
    const numbers = this.#numbers;
    for (let index = from; index < to; index++) {
      const slot = turn.slot(index);
      const hour = Math.floor(slot / slotsOfHour);
      const proxy = numbers[turn.proxy(index)]!;
      const status = Math.floor(turn.status(index) / 100);

      const traffic = this.#traffic.rowOf(
        hour,
        proxy,
        numbers[turn.app(index)]!,
        numbers[turn.product(index)]!,
        turn.country(index),
      );
      countTraffic(this.#traffic.values, traffic * trafficValues.length, turn, index);
      this.#times.add(traffic * 2, turn.gatewayBucket(index), 1);
      if (turn.isAsked(index)) this.#times.add(traffic * 2 + 1, turn.targetBucket(index), 1);

      const inSlot = this.#slots.rowOf(slot, proxy);
      countTraffic(this.#slots.values, inSlot * trafficValues.length, turn, index);
      this.#slotTimes.add(inSlot * 3, turn.gatewayBucket(index), 1);
      if (turn.isAsked(index)) this.#slotTimes.add(inSlot * 3 + 1, turn.targetBucket(index), 1);
      this.#slotTimes.add(inSlot * 3 + 2, turn.latencyBucket(index), 1);

      const deployment = numbers[turn.deployment(index)]!;
      if (deployment !== 0) {
        const row = this.#deployments.rowOf(Math.floor(slot / slotsOfMinute), deployment);
        count(this.#deployments.values, row * statuses.length, status);
        this.#latencies.add(row, turn.latencyBucket(index), 1);
      }
      const route = numbers[turn.route(index)]!;
      if (route !== 0) {
        const row = this.#routes.rowOf(hour, proxy, route);
        count(this.#routes.values, row * statuses.length, status);
      }
      if (status === 4 || status === 5) this.#fail(turn, index, hour, status);
      const term = numbers[turn.term(index)]!;
      if (term !== 0) this.#meter(turn, index, term, proxy);
    }
  }

  addBatch(batch: UsageRows): void {
    const dictionary = this.#dictionary;
    const hourOf = (time: string) => Math.floor(Date.parse(time) / (minuteMs * minutesOfHour));
    for (const row of batch.traffic) {
      const number = this.#traffic.rowOf(
        hourOf(row.hour),
        dictionary.numberOf(row.proxyId),
        dictionary.numberOf(row.appId),
        dictionary.numberOf(row.productId),
        (row.country.charCodeAt(0) << 8) | row.country.charCodeAt(1),
      );
      const { values } = this.#traffic;
      for (const [index, name] of trafficValues.entries()) values[number * trafficValues.length + index]! += row[name];
      addEncoded(this.#times, number * 2, row.gatewayTime);
      addEncoded(this.#times, number * 2 + 1, row.targetTime);
    }
    for (const row of batch.deployments) {
      const number = this.#deployments.rowOf(
        Math.floor(Date.parse(row.minute) / minuteMs),
        dictionary.numberOf(row.deploymentId),
      );
      const { values } = this.#deployments;
      for (const [index, name] of statuses.entries()) values[number * statuses.length + index]! += row[name];
      addEncoded(this.#latencies, number, row.latency);
    }
    for (const row of batch.routes) {
      const number = this.#routes.rowOf(
        hourOf(row.hour),
        dictionary.numberOf(row.proxyId),
        dictionary.numberOf(row.routeId),
      );
      const { values } = this.#routes;
      for (const [index, name] of statuses.entries()) values[number * statuses.length + index]! += row[name];
    }
    for (const row of batch.metered) {
      const number = this.#metered.rowOf(
        Math.floor(Date.parse(row.quarter) / (minuteMs * minutesOfQuarter)),
        dictionary.numberOf(row.termId),
        dictionary.numberOf(row.proxyId),
        row.statusClass,
      );
      const { values } = this.#metered;
      const at = number * valuesOfMetered;
      for (const [index, name] of meteredCounts.entries()) values[at + index]! += row[name];
      const [whole = '0', fraction = ''] = row.units.split('.');
      addUnits(values, at, Number(whole), Number(fraction.padEnd(6, '0')));
    }
    for (const row of batch.failures) {
      const number = this.#failures.rowOf(
        hourOf(row.hour),
        dictionary.numberOf(row.proxyId),
        dictionary.numberOf(row.routeId),
        dictionary.numberOf(row.appId),
        dictionary.numberOf(row.productId),
      );
      const { values } = this.#failures;
      for (const [index, name] of failures.entries()) values[number * failures.length + index]! += row[name];
    }
    for (const row of batch.slots) {
      const number = this.#slots.rowOf(Math.floor(Date.parse(row.slot) / slotMs), dictionary.numberOf(row.proxyId));
      const { values } = this.#slots;
      for (const [index, name] of trafficValues.entries()) values[number * trafficValues.length + index]! += row[name];
      addEncoded(this.#slotTimes, number * 3, row.gatewayTime);
      addEncoded(this.#slotTimes, number * 3 + 1, row.targetTime);
      addEncoded(this.#slotTimes, number * 3 + 2, row.latency);
    }
  }

  /**
   * All rows.
   *
   * @param most rows of each kind in a part
   */
  *batches(most: number): Generator<UsageRows> {
    const rows = Math.max(...this.#tables.map((table) => table.rows));
    for (let from = 0; from < rows; from += most) {
      yield {
        traffic: range(from, Math.min(from + most, this.#traffic.rows), (row) => this.#trafficRow(row)),
        deployments: range(from, Math.min(from + most, this.#deployments.rows), (row) => this.#deploymentRow(row)),
        routes: range(from, Math.min(from + most, this.#routes.rows), (row) => this.#routeRow(row)),
        metered: range(from, Math.min(from + most, this.#metered.rows), (row) => this.#meteredRow(row)),
        slots: range(from, Math.min(from + most, this.#slots.rows), (row) => this.#slotRow(row)),
        failures: range(from, Math.min(from + most, this.#failures.rows), (row) => this.#failureRow(row)),
      };
    }
  }

  get #tables(): readonly Table[] {
    return [this.#traffic, this.#deployments, this.#routes, this.#metered, this.#slots, this.#failures];
  }

  /** Of identified apps: their routes, not the paths that somebody asks for, limit the rows. */
  #fail(turn: Turn, index: number, hour: number, status: 4 | 5): void {
    const numbers = this.#numbers;
    const app = numbers[turn.app(index)]!;
    if (app === 0) return;
    const [proxy, route, product] = [turn.proxy(index), turn.route(index), turn.product(index)];
    const row = this.#failures.rowOf(hour, numbers[proxy]!, numbers[route]!, app, numbers[product]!);
    this.#failures.values[row * failures.length + status - 4]! += 1;
  }

  #meter(turn: Turn, index: number, term: number, proxy: number): void {
    const quarter = Math.floor(turn.minute(index) / minutesOfQuarter);
    const statusClass = turn.isRefused(index) ? 0 : Math.min(5, Math.max(1, Math.floor(turn.status(index) / 100)));
    const at = this.#metered.rowOf(quarter, term, proxy, statusClass) * valuesOfMetered;
    const { values } = this.#metered;
    values[at + metered.requests]! += 1;
    values[at + metered.requestBytes]! += turn.requestBytes(index);
    values[at + metered.responseBytes]! += turn.responseBytes(index);
    if (turn.isWithoutUnits(index)) values[at + metered.withoutUnits]! += 1;
    if (turn.hasUnreadableUnits(index)) values[at + metered.unreadableUnits]! += 1;
    const microUnits = turn.microUnits(index);
    if (microUnits > 0) addUnits(values, at, 0, microUnits);
  }

  #translate(strings: readonly string[]): void {
    if (strings !== this.#strings) this.#translated = 0;
    this.#strings = strings;
    if (strings.length > this.#numbers.length) {
      const numbers = new Int32Array(Math.max(strings.length, this.#numbers.length * 2));
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    for (; this.#translated < strings.length; this.#translated++) {
      this.#numbers[this.#translated] = this.#dictionary.numberOf(strings[this.#translated]!);
    }
  }

  #trafficRow(row: number): TrafficRow {
    const table = this.#traffic;
    const country = table.keyOf(row, 4);
    const at = row * trafficValues.length;
    return {
      hour: timeOf(table.keyOf(row, 0) * minutesOfHour * minuteMs),
      proxyId: this.#string(table.keyOf(row, 1)),
      appId: this.#string(table.keyOf(row, 2)) || null,
      productId: this.#string(table.keyOf(row, 3)) || null,
      country: String.fromCharCode(country >>> 8, country & 0xff),
      ...trafficOf(table.values, at),
      gatewayTime: this.#times.encode(row * 2),
      targetTime: this.#times.encode(row * 2 + 1),
    };
  }

  #deploymentRow(row: number): DeploymentRow {
    const table = this.#deployments;
    return {
      minute: timeOf(table.keyOf(row, 0) * minuteMs),
      deploymentId: this.#string(table.keyOf(row, 1)),
      ...statusesOf(table.values, row * statuses.length),
      latency: this.#latencies.encode(row),
    };
  }

  #routeRow(row: number): RouteRow {
    const table = this.#routes;
    return {
      hour: timeOf(table.keyOf(row, 0) * minutesOfHour * minuteMs),
      proxyId: this.#string(table.keyOf(row, 1)),
      routeId: this.#string(table.keyOf(row, 2)),
      ...statusesOf(table.values, row * statuses.length),
    };
  }

  #meteredRow(row: number): MeteredRow {
    const table = this.#metered;
    const at = row * valuesOfMetered;
    const value = (index: number) => table.values[at + index]!;
    const fraction = value(microUnitsAt) === 0 ? '' : `.${String(value(microUnitsAt)).padStart(6, '0')}`;
    return {
      quarter: timeOf(table.keyOf(row, 0) * minutesOfQuarter * minuteMs),
      termId: this.#string(table.keyOf(row, 1)),
      proxyId: this.#string(table.keyOf(row, 2)),
      statusClass: table.keyOf(row, 3),
      requests: value(metered.requests),
      requestBytes: value(metered.requestBytes),
      responseBytes: value(metered.responseBytes),
      units: `${value(wholeUnitsAt)}${fraction}`,
      withoutUnits: value(metered.withoutUnits),
      unreadableUnits: value(metered.unreadableUnits),
    };
  }

  #slotRow(row: number): SlotRow {
    const table = this.#slots;
    return {
      slot: timeOf(table.keyOf(row, 0) * slotMs),
      proxyId: this.#string(table.keyOf(row, 1)),
      ...trafficOf(table.values, row * trafficValues.length),
      gatewayTime: this.#slotTimes.encode(row * 3),
      targetTime: this.#slotTimes.encode(row * 3 + 1),
      latency: this.#slotTimes.encode(row * 3 + 2),
    };
  }

  #failureRow(row: number): FailureRow {
    const table = this.#failures;
    const at = row * failures.length;
    return {
      hour: timeOf(table.keyOf(row, 0) * minutesOfHour * minuteMs),
      proxyId: this.#string(table.keyOf(row, 1)),
      routeId: this.#string(table.keyOf(row, 2)) || null,
      appId: this.#string(table.keyOf(row, 3)),
      productId: this.#string(table.keyOf(row, 4)) || null,
      status4xx: table.values[at]!,
      status5xx: table.values[at + 1]!,
    };
  }

  #string(number: number): string {
    return this.#dictionary.strings[number]!;
  }
}

/** @param status first digit; a status outside the classes, such as 101, only counts as a request */
function count(values: Float64Array, at: number, status: number): void {
  values[at]! += 1;
  if (status >= 2 && status <= 5) values[at + status - 1]! += 1;
}

function countTraffic(values: Float64Array, at: number, turn: Turn, index: number): void {
  count(values, at, Math.floor(turn.status(index) / 100));
  if (turn.isLimited(index)) values[at + limitedAt]! += 1;
  values[at + requestBytesAt]! += turn.requestBytes(index);
  values[at + responseBytesAt]! += turn.responseBytes(index);
}

function addUnits(values: Float64Array, at: number, whole: number, micro: number): void {
  const sum = values[at + microUnitsAt]! + micro;
  values[at + wholeUnitsAt]! += whole + Math.floor(sum / microOfUnit);
  values[at + microUnitsAt] = sum % microOfUnit;
}

function addEncoded(histograms: SparseHistograms, histogram: number, encoded: readonly number[]): void {
  for (let index = 0; index + 1 < encoded.length; index += 2) {
    histograms.add(histogram, encoded[index]!, encoded[index + 1]!);
  }
}

function statusesOf(values: Float64Array, at: number) {
  return {
    requests: values[at]!,
    status2xx: values[at + 1]!,
    status3xx: values[at + 2]!,
    status4xx: values[at + 3]!,
    status5xx: values[at + 4]!,
  };
}

function trafficOf(values: Float64Array, at: number) {
  return {
    ...statusesOf(values, at),
    limited: values[at + limitedAt]!,
    requestBytes: values[at + requestBytesAt]!,
    responseBytes: values[at + responseBytesAt]!,
  };
}

function range<Row>(from: number, to: number, make: (row: number) => Row): Row[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => make(from + index));
}

let timedMs = 0;
let timeText = new Date(0).toISOString();

/** Adjacent rows mostly have the same time. */
function timeOf(unixMs: number): string {
  if (unixMs !== timedMs) {
    timedMs = unixMs;
    timeText = new Date(unixMs).toISOString();
  }
  return timeText;
}
