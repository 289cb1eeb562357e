package dev.caliber.server.rest;

import dev.caliber.server.access.Turns;

/** What every way in shares: who may, when it is worked on, and how bodies come. */
record Edge(Gate gate, Turns turns, Bodies bodies) {}
