import type { ColumnDefinition } from '../definition.ts';
import { captions } from './captions/items.ts';

/** The columns of line items on invoices, orders, quotes, receipts and delivery notes. */
export const itemColumns: readonly ColumnDefinition[] = [
  {
    name: 'description',
    kind: 'text',
    description: 'What was sold or done.',
    captions: captions('description'),
  },
  {
    name: 'quantity',
    kind: 'number',
    description: 'How many units.',
    captions: captions('quantity'),
  },
  {
    name: 'unit',
    kind: 'text',
    description: 'Unit of the quantity, such as piece, hour or kg.',
    captions: captions('unit'),
  },
  {
    name: 'price_unit',
    kind: 'amount',
    description: 'Price of one unit.',
    captions: captions('price_unit'),
  },
  {
    name: 'product_code',
    kind: 'identifier',
    description: 'Article number, SKU or EAN.',
    captions: captions('product_code'),
  },
  {
    name: 'discount_amount',
    kind: 'amount',
    description: 'Discount on the row, as a positive number.',
    captions: captions('discount_amount'),
  },
  {
    name: 'tax_rate',
    kind: 'percent',
    description: 'Tax rate of the row in percent.',
    captions: captions('tax_rate'),
  },
  {
    name: 'tax_amount',
    kind: 'amount',
    description: 'Tax on the row.',
    captions: captions('tax_amount'),
  },
  {
    name: 'amount',
    kind: 'amount',
    description: 'Amount of the row as printed.',
    captions: captions('amount'),
  },
  {
    name: 'date',
    kind: 'date',
    description: 'Date of the delivery or service, where rows have one.',
    captions: captions('date'),
  },
];

/** Item columns by name, in the order asked for. */
export function itemColumnsNamed(names: readonly string[]): readonly ColumnDefinition[] {
  return itemColumns.filter((column) => names.includes(column.name));
}
