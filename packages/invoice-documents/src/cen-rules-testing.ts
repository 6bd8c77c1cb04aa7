import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import SaxonJS from 'saxon-js';

/** The CEN's Schematron rules for EN 16931, compiled for SaxonJS. They are no part of the repository. */
const rulesFile = path.join(
  process.env.MILLRACE_SHARED_DATA ?? path.resolve(import.meta.dirname, '../../../../shared/data'),
  'en16931/EN16931-CII-validation.sef.json',
);

export const hasCenRules = existsSync(rulesFile);

/** Loads the rules once. @returns checks an XML: the failed rules with their text, and how many rules were applied */
export function loadCenRules(): (xml: string) => { readonly failed: readonly string[]; readonly applied: number } {
  const stylesheetInternal: unknown = JSON.parse(readFileSync(rulesFile, 'utf8'));
  return (xml) => {
    const { principalResult } = SaxonJS.transform(
      { stylesheetInternal, sourceText: xml, destination: 'serialized' },
      'sync',
    );
    const failed = principalResult.match(/<svrl:failed-assert[\s\S]*?<\/svrl:failed-assert>/g) ?? [];
    return {
      failed: failed.map((assert) =>
        assert
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
      applied: principalResult.match(/<svrl:fired-rule/g)?.length ?? 0,
    };
  };
}
