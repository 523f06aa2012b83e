package io.rpcboot.engine;

import java.lang.management.ManagementFactory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Measures what is in use, and makes leaks show. */
final class Memory {

	/** What may come and go by chance. */
	static final long TOLERANCE = 5 * 1024 * 1024;

	private Memory() {
	}

	/** Bytes of the heap in use after garbage collections. */
	static long usedHeap() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

	/** A leaked buffer is reported when another is allocated after it was collected. */
	static void makeLeaksShow() {
		for (int i = 0; i < 20; i++) {
			System.gc();
			for (int j = 0; j < 100; j++) {
				ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(64);
				buffer.release();
			}
		}
	}

}
