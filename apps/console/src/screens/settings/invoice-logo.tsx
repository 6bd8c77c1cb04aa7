import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { LogoField } from '../../frame/logo-field.tsx';

/** The logo that invoices are printed with. */
export function InvoiceLogo({ settings }: { readonly settings: DataOf<'getBillingSettings'> }) {
  const { logo, version } = settings;
  const read = useRead('getBillingLogo', undefined, { enabled: logo !== null });
  const set = useWrite('setBillingLogo');
  return (
    <LogoField
      noun="logo"
      alt="Logo on invoices"
      png={logo && read.data?.png}
      // Invoices are printed on white.
      background="white"
      save={(png) => set.mutateAsync({ body: { png }, version })}
    />
  );
}
