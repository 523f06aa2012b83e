package io.rpcboot.engine;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/** Writes down what it has seen; passes calls on if it has somewhere to. */
final class ContextCallsImpl implements ContextCalls {

	final BlockingQueue<Map<String, String>> seen = new LinkedBlockingQueue<>();

	/** Words of calls that were cancelled. */
	final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();

	/** Words of calls that began to hang. */
	final BlockingQueue<String> hanging = new LinkedBlockingQueue<>();

	final AtomicInteger runs = new AtomicInteger();

	/** The next hop, null for the last. */
	volatile @Nullable ContextCalls next;

	static RpcContext context() {
		RpcContext context = RpcContext.current();
		if (context == null) {
			throw new IllegalStateException("no context on " + Thread.currentThread());
		}
		return context;
	}

	private Map<String, String> see(String word) {
		this.runs.incrementAndGet();
		RpcContext context = context();
		Map<String, String> all = new TreeMap<>(context.attachments().asMap());
		all.put("word", word);
		all.put("method", context.method().name());
		all.put("peer", context.connection().application());
		all.put("millis", String.valueOf(context.remaining().toMillis()));
		all.put("thread", Thread.currentThread().getName());
		context.replyAttachments().put("Echo", word);
		this.seen.add(all);
		return all;
	}

	@Override
	public Map<String, String> look(String word) {
		Map<String, String> here = see(word);
		ContextCalls further = this.next;
		return (further != null) ? further.look(word) : here;
	}

	@Override
	public CompletableFuture<Map<String, String>> lookLater(String word) {
		Map<String, String> here = see(word);
		ContextCalls further = this.next;
		return (further != null) ? further.lookLater(word) : CompletableFuture.completedFuture(here);
	}

	@Override
	public void notice(String word) {
		see(word);
		ContextCalls further = this.next;
		if (further != null) {
			further.notice(word);
		}
	}

	@Override
	public String hang(String word) {
		see(word);
		CountDownLatch end = new CountDownLatch(1);
		context().onCancel(() -> {
			this.cancelled.add(word);
			end.countDown();
		});
		this.hanging.add(word);
		ContextCalls further = this.next;
		try {
			if (further != null) {
				return further.hang(word);
			}
			if (!end.await(20, TimeUnit.SECONDS)) {
				throw new IllegalStateException("not cancelled");
			}
			return "cancelled " + context().isCancelled();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public CompletableFuture<String> hangLater(String word) {
		see(word);
		CompletableFuture<String> result = new CompletableFuture<>();
		context().onCancel(() -> {
			this.cancelled.add(word);
			result.complete("cancelled");
		});
		this.hanging.add(word);
		ContextCalls further = this.next;
		return (further != null) ? further.hangLater(word) : result;
	}

	@Override
	public String refuse(String word) throws RefusedException {
		see(word);
		throw new RefusedException(word, 1);
	}

	@Override
	public String breakDown(String word) {
		see(word);
		throw new IllegalStateException(word);
	}

	@Override
	public String count(String word) {
		see(word);
		return word + this.runs.get();
	}

}
