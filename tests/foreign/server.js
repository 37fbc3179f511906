// A small API of another kind than ours, as somebody else has one: Express with an ORM, over the same data. node tests/foreign/server.js PORT, database by PG*.
// Of each route it is known how many statements it takes: a customer 2, an order 1, and a list of orders 1.
import express from 'express';
import { DataTypes, Sequelize } from 'sequelize';

const [port] = process.argv.slice(2);
const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
const TOKEN = process.env.FOREIGN_TOKEN; // where it is set, every request must bring it
const sequelize = new Sequelize(PGDATABASE, PGUSER, PGPASSWORD, {
  ...{ dialect: 'postgres', host: PGHOST, port: Number(PGPORT), logging: false },
  define: { timestamps: false },
  pool: { max: 10, idle: 60_000 },
});

const Customer = sequelize.define(
  'Customer',
  {
    key: { type: DataTypes.INTEGER, primaryKey: true, field: 'c_custkey' },
    name: { type: DataTypes.STRING, field: 'c_name' },
    balance: { type: DataTypes.DECIMAL, field: 'c_acctbal' },
  },
  { tableName: 'customer' },
);
const Order = sequelize.define(
  'Order',
  {
    key: { type: DataTypes.INTEGER, primaryKey: true, field: 'o_orderkey' },
    customer: { type: DataTypes.INTEGER, field: 'o_custkey' },
    status: { type: DataTypes.STRING, field: 'o_orderstatus' },
    price: { type: DataTypes.DECIMAL, field: 'o_totalprice' },
  },
  { tableName: 'orders' },
);
Customer.hasMany(Order, { foreignKey: 'customer', sourceKey: 'key', as: 'orders' });

const app = express();
app.use((request, response, next) => {
  if (TOKEN && request.get('authorization') !== `Bearer ${TOKEN}`) response.status(401).json({ error: 'no token' });
  else next();
});
app.get('/customers/:key', async (request, response) => {
  const customer = await Customer.findByPk(request.params.key, {
    include: [{ association: 'orders', separate: true, limit: 5, order: ['key'] }],
  });
  if (customer) response.json(customer);
  else response.status(404).json({ error: 'no such customer' });
});
app.get('/orders/:key', async (request, response) => {
  const order = await Order.findByPk(request.params.key);
  if (order) response.json(order);
  else response.status(404).json({ error: 'no such order' });
});
app.get('/orders', async (request, response) => {
  const limit = Math.min(Number(request.query.limit ?? 10), 100);
  response.json(await Order.findAll({ order: ['key'], limit }));
});
app.listen(Number(port), '127.0.0.1');
