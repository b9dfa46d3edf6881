// A small source in each language, and the chunks it must give: kind, symbol, first and last line.
export interface Sample {
  readonly file: string;
  readonly source: string;
  readonly symbols: readonly string[];
}

export const SAMPLES: readonly Sample[] = [
  {
    file: 'shop.ts',
    source: `import { z } from 'zod';

/** What is bought. */
export interface Order {
  readonly id: string;
}

export type Price = number;

export enum State { Open, Paid }

export const LIMIT = 3;

// Adds up.
export function total(prices: readonly Price[]): Price {
  return prices.reduce((sum, price) => sum + price, 0);
}

const twice = (price: Price): Price => {
  return price * 2;
};

namespace Old {
  export function pay(): void {}
}

@sealed
export class Shop<T> extends Base {
  #orders: Order[] = [];
  private readonly name = 'shop';

  constructor(readonly owner: string) {
    super();
  }

  get size(): number {
    return this.#orders.length;
  }

  async find(id: string): Promise<Order | undefined> {
    return this.#orders.find((order) => order.id === id);
  }

  onChange = (order: Order) => {
    this.#orders.push(order);
  };
}
`,
    symbols: [
      'class Order 4-6',
      'class Price 8-8',
      'class State 10-10',
      'block LIMIT 12-12',
      'function total 15-17',
      'function twice 19-21',
      'function Old.pay 24-24',
      'class Shop 27-47',
      'block Shop.#orders 29-29',
      'block Shop.name 30-30',
      'method Shop.constructor 32-34',
      'method Shop.size 36-38',
      'method Shop.find 40-42',
      'method Shop.onChange 44-46',
    ],
  },
  {
    file: 'view.tsx',
    source: `export function Button({ label }: { label: string }) {
  return <button>{label}</button>;
}

export const List = memo(() => {
  return <ul />;
});
`,
    symbols: ['function Button 1-3', 'block List 5-7'],
  },
  {
    file: 'app.js',
    source: `'use strict';
var app = exports = module.exports = {};

/**
 * Mounts.
 */

app.use = function use(fn) {
  return this;
};

function* walk() {
  yield 1;
}

class Cache {
  static make() { return new Cache(); }
  #size = 0;
}

View.prototype.render = (name) => name;
`,
    symbols: [
      'block app 2-2',
      'function app.use 8-10',
      'function walk 12-14',
      'class Cache 16-19',
      'method Cache.make 17-17',
      'block Cache.#size 18-18',
      'function View.prototype.render 21-21',
    ],
  },
  {
    file: 'jobs.py',
    source: `"""Jobs."""
import os

MAX = 3

if os.name == "nt":
    def fork():
        pass

# Runs it.
@retry(times=3)
async def run(job):
    """Runs."""
    return await job


class Pool(Base):
    size = 1

    def __init__(self, size):
        self.size = size

    @property
    def busy(self) -> bool:
        return True

    class Inner:
        def deep(self): pass
`,
    symbols: [
      'block MAX 4-4',
      'function fork 7-8',
      'function run 11-14',
      'class Pool 17-28',
      'block Pool.size 18-18',
      'method Pool.__init__ 20-21',
      'method Pool.busy 23-25',
      'class Pool.Inner 27-28',
      'method Pool.Inner.deep 28-28',
    ],
  },
  {
    file: 'tree.go',
    source: `package tree

import "fmt"

const Depth = 3

// Node is one.
type Node struct {
	Left *Node
}

type Walker interface {
	Walk(n *Node) error
}

// Add adds.
func (n *Node) Add(v int) *Node {
	return n
}

func (l List[T]) Len() int { return 0 }

func main() {
	fmt.Println("x")
}
`,
    symbols: [
      'block Depth 5-5',
      'class Node 8-10',
      'class Walker 12-14',
      'method Node.Add 17-19',
      'method List.Len 21-21',
      'function main 23-25',
    ],
  },
  {
    file: 'lib.rs',
    source: `//! Docs.
use std::fmt;

pub const MAX: usize = 3;

/// A parser.
#[derive(Debug)]
pub struct Parser<'a> {
    text: &'a str,
}

impl<'a> Parser<'a> {
    /// Makes one.
    pub fn new(text: &'a str) -> Self {
        Self { text }
    }
}

impl fmt::Display for Parser<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Ok(())
    }
}

pub trait Visit {
    fn visit(&self);
}

macro_rules! twice {
    ($x:expr) => { $x; $x };
}

mod tests {
    #[test]
    fn works() {}
}
`,
    symbols: [
      'block MAX 4-4',
      'class Parser 8-10',
      'class Parser 12-17',
      'method Parser.new 14-16',
      'class Parser 19-23',
      'method Parser.fmt 20-22',
      'class Visit 25-27',
      'method Visit.visit 26-26',
      'function twice 29-31',
      'function tests.works 35-35',
    ],
  },
  {
    file: 'Shop.java',
    source: `package shop;

/** A shop. */
@Service
public class Shop<T> {
  private static final int MAX = 3;

  public Shop(int size) {
    this.size = size;
  }

  @Override
  public String name() {
    return "shop";
  }

  enum State { OPEN, PAID; boolean isOpen() { return true; } }

  interface Listener {
    void changed(State state);
  }

  record Point(int x, int y) {}
}
`,
    symbols: [
      'class Shop 4-24',
      'block Shop.MAX 6-6',
      'method Shop.Shop 8-10',
      'method Shop.name 12-15',
      'class Shop.State 17-17',
      'method Shop.State.isOpen 17-17',
      'class Shop.Listener 19-21',
      'method Shop.Listener.changed 20-20',
      'class Shop.Point 23-23',
    ],
  },
  {
    file: 'list.c',
    source: `#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef struct node {
  struct node *next;
} node_t;

struct point { int x; };

enum color { RED };

int count(node_t *list);

#ifdef DEBUG
static void dump(node_t *list) {
  printf("x");
}
#endif

node_t *push(node_t *list, int value)
{
  return list;
}
`,
    symbols: [
      'function MAX 2-2',
      'class node_t 4-6',
      'class point 8-8',
      'class color 10-10',
      'block count 12-12',
      'function dump 15-17',
      'function push 20-23',
    ],
  },
  {
    file: 'tree.cpp',
    source: `#include <vector>

namespace tree {

template <typename T>
class Node : public Base {
 public:
  explicit Node(T value) : value_(value) {}
  ~Node() = default;
  T& value() { return value_; }
  bool operator==(const Node& other) const { return true; }

 private:
  T value_;
};

struct Point { int x; };

}  // namespace tree

int tree::Walker::walk(Node* node) {
  return 1;
}
`,
    symbols: [
      'class tree.Node 5-15',
      'method tree.Node.Node 8-8',
      'method tree.Node.~Node 9-9',
      'method tree.Node.value 10-10',
      'method tree.Node.operator== 11-11',
      'block tree.Node.value_ 14-14',
      'class tree.Point 17-17',
      'block tree.Point.x 17-17',
      'method tree.Walker.walk 21-23',
    ],
  },
  {
    file: 'Shop.cs',
    source: `using System;

namespace Shops
{
    /// <summary>A shop.</summary>
    [Serializable]
    public class Shop : IShop
    {
        private int size;
        public string Name { get; set; }

        public Shop(int size)
        {
            this.size = size;
        }

        public async Task<int> Count() => 3;
    }

    public interface IShop { int Size { get; } }

    public record Point(int X, int Y);

    enum State { Open }
}
`,
    symbols: [
      'class Shops.Shop 6-18',
      'block Shops.Shop.size 9-9',
      'block Shops.Shop.Name 10-10',
      'method Shops.Shop.Shop 12-15',
      'method Shops.Shop.Count 17-17',
      'class Shops.IShop 20-20',
      'block Shops.IShop.Size 20-20',
      'class Shops.Point 22-22',
      'class Shops.State 24-24',
    ],
  },
  {
    file: 'shop.rb',
    source: `require 'set'

module Shops
  # A shop.
  class Shop < Base
    MAX = 3

    def initialize(size)
      @size = size
    end

    def self.open
      new(1)
    end

    class << self
      def close; end
    end
  end
end
`,
    symbols: [
      'class Shops 3-20',
      'class Shops.Shop 5-19',
      'block Shops.Shop.MAX 6-6',
      'method Shops.Shop.initialize 8-10',
      'method Shops.Shop.open 12-14',
      'method Shops.Shop.close 17-17',
    ],
  },
  {
    file: 'Shop.php',
    source: `<?php
namespace Shops;

const LIMIT = 3;

/** A shop. */
#[Entity]
final class Shop extends Base
{
    private int $size = 0;

    public function __construct(int $size)
    {
        $this->size = $size;
    }
}

interface Listener
{
    public function changed(): void;
}

function total(array $prices): int
{
    return array_sum($prices);
}
`,
    symbols: [
      'block LIMIT 4-4',
      'class Shop 7-16',
      'block Shop.size 10-10',
      'method Shop.__construct 12-15',
      'class Listener 18-21',
      'method Listener.changed 20-20',
      'function total 23-26',
    ],
  },
  {
    file: 'Shop.swift',
    source: `import Foundation

/// A shop.
public class Shop: Base {
    private var size = 0

    init(size: Int) {
        self.size = size
    }

    func count() -> Int {
        return size
    }
}

struct Point {
    let x: Int
}

extension Shop {
    func close() {}
}

protocol Listener {
    func changed()
}

func total(_ prices: [Int]) -> Int {
    return 0
}
`,
    symbols: [
      'class Shop 4-14',
      'block Shop.size 5-5',
      'method Shop.init 7-9',
      'method Shop.count 11-13',
      'class Point 16-18',
      'block Point.x 17-17',
      'class Shop 20-22',
      'method Shop.close 21-21',
      'class Listener 24-26',
      'method Listener.changed 25-25',
      'function total 28-30',
    ],
  },
  {
    file: 'Shop.kt',
    source: `package shop

const val MAX = 3

/** A shop. */
class Shop(val size: Int) : Base() {
    private val orders = mutableListOf<String>()

    constructor() : this(1)

    fun find(id: String): String? {
        return null
    }

    companion object {
        fun open() = Shop(1)
    }
}

interface Listener {
    fun changed()
}

object Registry {
    fun all() = 1
}

fun total(prices: List<Int>): Int = prices.sum()
`,
    symbols: [
      'block MAX 3-3',
      'class Shop 6-18',
      'block Shop.orders 7-7',
      'method Shop.constructor 9-9',
      'method Shop.find 11-13',
      'method Shop.open 16-16',
      'class Listener 20-22',
      'method Listener.changed 21-21',
      'class Registry 24-26',
      'method Registry.all 25-25',
      'function total 28-28',
    ],
  },
  {
    file: 'build.sh',
    source: `#!/bin/bash
set -e
TARGET=dist

# Builds.
build() {
  echo "$TARGET"
}

function clean {
  rm -rf "$TARGET"
}

build
`,
    symbols: ['block TARGET 3-3', 'function build 6-8', 'function clean 10-12'],
  },
];
