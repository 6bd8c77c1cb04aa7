import {
  type CalibrationWeights,
  confidenceOfProbability,
  correctedProbability,
} from '@millrace/engine/validate/calibration';
import type { CalibratedValue } from './confidence.ts';

const calibratedBands = [0, 50, 60, 70, 80, 90, 101];

/** How far calibrated confidences can be relied on, by set, of issuers that neither scorer nor calibration had seen. */
export function calibrationReport(calibration: CalibrationWeights, unseen: readonly CalibratedValue[]): string {
  const given = unseen
    .filter(({ probability, group }) => correctedProbability(probability, group, calibration) >= calibration.least)
    .map((value) => ({ ...value, confidence: confidenceOfProbability(value.probability, value.group, calibration) }));
  const sure = Object.entries(calibration.sure)
    .map(([group, probability]) => `${percent(probability)} (${group})`)
    .join(', ');
  const left = unseen.length - given.length;
  const leftRight = unseen.filter(({ right }) => right).length - given.filter(({ right }) => right).length;
  const sets = [...Map.groupBy(given, ({ set }) => set)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = [['all', given] as const, ...sets].flatMap(([set, own]) =>
    calibratedBands.slice(0, -1).map((from, index) => {
      const within = own.filter(({ confidence }) => confidence >= from && confidence < calibratedBands[index + 1]!);
      const mean = within.reduce((sum, { confidence }) => sum + confidence, 0) / within.length;
      const right = within.filter((value) => value.right).length;
      const shares = within.length > 0 ? `${mean.toFixed(1)} | ${percent(right / within.length)}` : '– | –';
      return `| ${set} | ${from}–${Math.min(100, calibratedBands[index + 1]!)} | ${within.length} | ${shares} |`;
    }),
  );
  return `# Reliability of the calibrated confidence on real documents

Written by \`npm run calibrate\`. The scorer and the calibration had seen no document of the issuer. ${left} values, ${leftRight} of them right, were
less probable than ${percent(calibration.least)} and are left out; 90 and more is given from a probability of
${sure} on.

| Set | Confidence | Values | Mean confidence | Right |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
