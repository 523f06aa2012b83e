package com.acme;

public class Circle extends Shape {

}
