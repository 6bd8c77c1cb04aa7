import type { FieldDefinition } from '../definition.ts';
import { captions } from './captions/money.ts';

export const subtotal: FieldDefinition = {
  name: 'subtotal',
  kind: 'amount',
  description: 'Sum of the items before tax (and before charges that are stated apart).',
  captions: captions('subtotal'),
};

export const discountAmount: FieldDefinition = {
  name: 'discount_amount',
  kind: 'amount',
  description: 'Discount on the whole document, as a positive number.',
  captions: captions('discount_amount'),
};

export const shippingAmount: FieldDefinition = {
  name: 'shipping_amount',
  kind: 'amount',
  description: 'Charge for freight, postage or packing.',
  captions: captions('shipping_amount'),
};

export const taxAmount: FieldDefinition = {
  name: 'tax_amount',
  kind: 'amount',
  description: 'Total of all taxes.',
  captions: captions('tax_amount'),
};

export const taxRate: FieldDefinition = {
  name: 'tax_rate',
  kind: 'percent',
  description: 'Tax rate in percent, where one rate holds for the whole document.',
  captions: captions('tax_rate'),
};

export const totalCaptions = captions('total');

export const totalAmount: FieldDefinition = {
  name: 'total_amount',
  kind: 'amount',
  description: 'Total including tax, charges and discounts.',
  captions: totalCaptions,
};
