import { captionsIn } from '../captions.ts';

export const captions = captionsIn({
  en: {
    order_date: [
      'order date',
      'po date',
      'date',
      'date of order',
      'purchase order date',
      'date issued',
      'issue date',
      'ordered on',
      'p.o. date',
    ],
    buyer_name: ['buyer', 'ordered by', 'purchaser', 'from', 'bill to', 'invoice to'],
    supplier_name: ['to', 'order to', 'supplier name', 'vendor name'],
    shipping_address: ['ship to', 'deliver to', 'delivery address', 'shipping address'],
    payment_terms: ['payment terms', 'terms', 'terms of payment'],
  },
  de: {
    order_date: ['bestelldatum', 'datum', 'bestellung vom', 'auftragsdatum'],
    buyer_name: ['besteller', 'auftraggeber', 'käufer', 'rechnungsadresse'],
    supplier_name: ['an', 'lieferant', 'auftragnehmer'],
    shipping_address: ['lieferadresse', 'lieferanschrift', 'lieferung an'],
    payment_terms: ['zahlungsbedingungen', 'zahlungsziel'],
  },
  fr: {
    order_date: ['date de commande', 'date', 'date de la commande', 'commande du', 'date du bon'],
    buyer_name: ['acheteur', "donneur d'ordre", 'facturer à'],
    supplier_name: ['à', 'fournisseur'],
    shipping_address: ['adresse de livraison', 'livrer à'],
    payment_terms: ['conditions de paiement'],
  },
  es: {
    order_date: ['fecha de pedido', 'fecha', 'fecha del pedido', 'fecha pedido'],
    buyer_name: ['comprador', 'facturar a', 'solicitante'],
    supplier_name: ['proveedor'],
    shipping_address: ['dirección de entrega', 'entregar en', 'enviar a'],
    payment_terms: ['condiciones de pago', 'forma de pago'],
  },
  it: {
    order_date: ['data ordine', 'data', "data dell'ordine", 'ordine del'],
    buyer_name: ['acquirente', 'committente', 'fatturare a'],
    supplier_name: ['fornitore'],
    shipping_address: ['indirizzo di consegna', 'consegnare a', 'luogo di consegna', 'destinazione'],
    payment_terms: ['condizioni di pagamento'],
  },
  pt: {
    order_date: ['data da encomenda', 'data de encomenda', 'data encomenda', 'data de emissão'],
    buyer_name: ['comprador', 'faturar a', 'adquirente'],
    supplier_name: ['fornecedor'],
    shipping_address: ['local de entrega', 'morada de entrega', 'entregar em'],
    payment_terms: ['pagamento', 'condições de pagamento'],
  },
  nl: {
    order_date: ['besteldatum', 'orderdatum', 'datum bestelling', 'datum order'],
    buyer_name: ['koper', 'besteller', 'factureren aan', 'afnemer', 'inkoper', 'opdrachtgever'],
    supplier_name: ['leverancier', 'aan'],
    shipping_address: ['afleveradres', 'leveradres'],
    payment_terms: ['betalingsvoorwaarden', 'betalingstermijn', 'betalingsconditie'],
  },
  later: {
    supplier_name: ['a'],
  },
});
