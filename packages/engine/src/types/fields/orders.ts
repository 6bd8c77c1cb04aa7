import type { FieldDefinition } from '../definition.ts';
import { captions } from './captions/orders.ts';
import { discountAmount, shippingAmount, subtotal, taxAmount, taxRate, totalAmount } from './money.ts';

export const orderNumberCaptions = captions('order_number');

export const deliveryDate: FieldDefinition = {
  name: 'delivery_date',
  kind: 'date',
  description: 'Date of the delivery.',
  captions: captions('delivery_date'),
};

export const totals = [subtotal, discountAmount, shippingAmount, taxAmount, taxRate, totalAmount];
