import { type Kysely, sql } from 'kysely';

/** Controls, and characters that change the direction of text or cannot be seen. */
const odd = sql.lit(
  '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]',
);

/** Names of files that were kept before these characters were taken out of them show what they are, too. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    update documents set file_name = regexp_replace(file_name, ${odd}, '', 'g') where file_name ~ ${odd}`.execute(
    database,
  );
}
