package io.rpcboot.samples.quickstart;

/**
 * An event that begins and ends repeatedly.
 *
 * @param begin begins the event
 * @param end ends the event
 */
record Scene(Runnable begin, Runnable end) {

}
