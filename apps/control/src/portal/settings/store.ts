import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { emit } from '../../frame/events.ts';
import { portalUrlFrom, primaryHost } from '../../frame/portals.ts';
import { portalContentChanged } from '../events.ts';
import { type Portal, type PortalSettings, portalLanguages } from './contract.ts';
import { completePortalSettings, palettesOf, type StoredSettings } from './rules.ts';

type Row = Pick<Selectable<Schema['portal_settings']>, 'open' | 'registration' | 'settings' | 'version'> & {
  readonly logo_size: number | null;
  readonly logo_sha256: string | null;
  readonly logo_dark_size: number | null;
  readonly logo_dark_sha256: string | null;
};

/** The settings; the defaults where none were set. */
export async function findPortalSettings(transaction: TenantTransaction): Promise<PortalSettings> {
  return present(await selectSettings(transaction).executeTakeFirst());
}

/** The settings, created where none were set, and locked until the commit. */
export async function lockPortalSettings(transaction: TenantTransaction): Promise<PortalSettings> {
  await transaction
    .insertInto('portal_settings')
    .values({ organization_id: transaction.tenantId })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute();
  return present(await selectSettings(transaction).forNoKeyUpdate().executeTakeFirstOrThrow());
}

/** Changes what is given; the version goes up by one. */
export async function updatePortalSettings(
  transaction: TenantTransaction,
  changes: {
    readonly open?: boolean;
    readonly registration?: PortalSettings['registration'];
    readonly settings?: StoredSettings;
    readonly logo?: Buffer | null;
    readonly logoDark?: Buffer | null;
  },
): Promise<PortalSettings> {
  const { settings, logo, logoDark, ...plain } = changes;
  await transaction
    .updateTable('portal_settings')
    .set({
      ...plain,
      ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      ...(logo === undefined ? {} : { logo }),
      ...(logoDark === undefined ? {} : { logo_dark: logoDark }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .execute();
  emit(transaction, portalContentChanged, {});
  return findPortalSettings(transaction);
}

/** A logo, a PNG file; null: there is none. */
export async function findPortalLogo(
  transaction: TenantTransaction,
  variant: 'light' | 'dark',
): Promise<Buffer | null> {
  const row = await transaction
    .selectFrom('portal_settings')
    .select(variant === 'light' ? 'logo as file' : 'logo_dark as file')
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirst();
  return row?.file ?? null;
}

/** Rejects ids that are no products of the organization. */
export async function refuseUnknownProducts(
  transaction: TenantTransaction,
  field: string,
  productIds: readonly string[],
): Promise<void> {
  if (productIds.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${productIds}::text[]) with ordinality as given (id, place)
    where not exists (select from products p where p.organization_id = ${transaction.tenantId} and p.id = given.id)
    order by place limit 1`.execute(transaction);
  if (rows[0] !== undefined) throw fieldError(field, `API product ${rows[0].id} not found.`);
}

interface PortalRow extends Row {
  readonly name: string;
  readonly display_name: string;
  readonly primary_host: string | null;
  readonly stamp: string;
}

/**
 * What every page of the portal needs, by one statement.
 *
 * @param publicUrl where this service is reached, without a slash at the end
 */
export async function readPortal(transaction: TenantTransaction, publicUrl: string): Promise<Portal> {
  const { rows } = await sql<PortalRow>`
    select o.name, o.display_name, ${primaryHost} as primary_host,
           concat_ws('.', coalesce(s.stamp, 0), coalesce(p.version, 0), o.version) as stamp,
           coalesce(p.open, false) as open, coalesce(p.registration, 'open') as registration,
           coalesce(p.settings, '{}') as settings, coalesce(p.version, 1) as version, ${logos}
    from organizations o
    left join portal_settings p on p.organization_id = o.id
    left join portal_stamps s on s.organization_id = o.id
    where o.id = ${transaction.tenantId}`.execute(transaction);
  const row = rows[0]!;
  const { title, theme, logo, logoDark, ...settings } = present(row);
  return {
    organization: row.name,
    organizationName: row.display_name,
    title: title ?? row.display_name,
    url: portalUrlFrom(publicUrl, row.name, row.primary_host),
    registration: settings.registration,
    languages: [...portalLanguages],
    defaultLanguage: settings.defaultLanguage,
    texts: settings.texts,
    theme: palettesOf(theme),
    legal: settings.legal,
    logo: { light: logo?.sha256 ?? null, dark: logoDark?.sha256 ?? null },
    stamp: row.stamp,
  };
}

/** Size and hash of the logos of `p`, without the files. */
const logos = sql`
  octet_length(p.logo) as logo_size, encode(sha256(p.logo), 'hex') as logo_sha256,
  octet_length(p.logo_dark) as logo_dark_size, encode(sha256(p.logo_dark), 'hex') as logo_dark_sha256`;

function selectSettings(transaction: TenantTransaction) {
  return transaction
    .selectFrom('portal_settings')
    .select([
      'open',
      'registration',
      'settings',
      'version',
      sql<number | null>`octet_length(logo)`.as('logo_size'),
      sql<string | null>`encode(sha256(logo), 'hex')`.as('logo_sha256'),
      sql<number | null>`octet_length(logo_dark)`.as('logo_dark_size'),
      sql<string | null>`encode(sha256(logo_dark), 'hex')`.as('logo_dark_sha256'),
    ])
    .where('organization_id', '=', transaction.tenantId);
}

function present(row: Row | undefined): PortalSettings {
  const logoOf = (size: number | null | undefined, sha256: string | null | undefined) =>
    size && sha256 ? { sizeBytes: size, sha256 } : null;
  return {
    open: row?.open ?? false,
    registration: row?.registration ?? 'open',
    ...completePortalSettings(row?.settings ?? {}),
    logo: logoOf(row?.logo_size, row?.logo_sha256),
    logoDark: logoOf(row?.logo_dark_size, row?.logo_dark_sha256),
    version: row?.version ?? 1,
  };
}
