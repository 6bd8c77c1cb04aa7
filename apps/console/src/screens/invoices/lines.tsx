import { Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import type { DataOf } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';
import { usePriceTexts } from '../rate-plans/texts.ts';
import classes from './invoices.module.css';

type Invoice = DataOf<'getInvoice'>;
type Line = Invoice['lines'][number];

/** The lines of an invoice by subscription, then taxes and total, as on paper. */
export function InvoiceLines(props: {
  readonly invoice: Pick<Invoice, 'lines' | 'taxes' | 'currency' | 'linesMinor' | 'totalMinor' | 'developerName'>;
}) {
  const { lines, taxes, currency, linesMinor, totalMinor, developerName } = props.invoice;
  const amountOf = useAmounts();
  const { priceOf, quantityOf, lineNameOf } = usePriceTexts();
  const { rangeOf } = useCivilDays();
  const groups = Map.groupBy(lines, ({ termId }) => termId);
  const amount = (amountMinor: number) => amountOf({ amountMinor, currency });
  return (
    <table className={classes.lines} aria-label={`Lines of ${developerName}`}>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Quantity</th>
          <th scope="col">Price</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      {[...groups.values()].map((group) => (
        <tbody key={group[0]!.termId}>
          <tr className={classes.group}>
            <th scope="rowgroup" colSpan={4}>
              {groupNameOf(group[0]!)}
            </th>
          </tr>
          {group.map((line) => (
            <tr key={line.position}>
              <td>
                {lineNameOf(line)}
                <Text size="xs" c="dimmed">
                  {rangeOf(line.firstDay, line.lastDay)}
                </Text>
                <Text size="xs" c="dimmed" hiddenFrom="xs">
                  {quantityOf(line.quantity)} × {priceOf(line.unitPrice, currency)}
                </Text>
              </td>
              <td>{quantityOf(line.quantity)}</td>
              <td>{priceOf(line.unitPrice, currency)}</td>
              <td>{amount(line.amountMinor)}</td>
            </tr>
          ))}
        </tbody>
      ))}
      <tfoot>
        <Sum label="Before tax">{amount(linesMinor)}</Sum>
        {taxes.map(({ category, rate, taxMinor }) => (
          <Sum key={`${category} ${rate}`} label={`Tax, ${quantityOf(rate)} % (${category})`}>
            {amount(taxMinor)}
          </Sum>
        ))}
        <Sum label="Total" total>
          {amount(totalMinor)}
        </Sum>
      </tfoot>
    </table>
  );
}

function Sum(props: { readonly label: string; readonly total?: boolean; readonly children: string }) {
  return (
    <tr data-total={props.total}>
      <th scope="row" colSpan={3}>
        {props.label}
      </th>
      <td>{props.children}</td>
    </tr>
  );
}

function groupNameOf({ productName, planName, appName }: Line): string {
  return `${productName}, ${planName} – ${appName}`;
}
