package io.rpcboot.serialization.protostuff;

import java.net.URL;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.SynchronousQueue;
import java.util.jar.Attributes;

/**
 * Collections and maps that cannot be sent, one service a reason.
 */
public class RefusedContainers {

	public interface HandOverType {

		SynchronousQueue<String> get();

	}

	public interface DelayType {

		DelayQueue<Delayed> get();

	}

	public interface CapacityType {

		ArrayBlockingQueue<String> get();

	}

	public interface AbstractListType {

		AbstractList<String> get();

	}

	public interface AttributesType {

		Attributes get();

	}

	public interface UrlKeyType {

		Map<URL, String> get();

	}

	public interface UrlElementType {

		List<HashSet<URL>> get();

	}

	public static class OwnList extends ArrayList<String> {

		private static final long serialVersionUID = 1L;

	}

	public interface OwnListType {

		OwnList get();

	}

}
